#include "core/view/chart/chart_cell.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/base/text/count_text.h"
#include "core/base/text/distinct_texts.h"
#include "core/view/words/number_words.h"

namespace tv {

ChartCell duration_cell(Ns length) { return {format_duration(length), static_cast<double>(length), "ns"}; }

ChartCell ns_cell(double length) { return {ns_text(length), length, "ns"}; }

ChartCell time_cell(Ns at) { return {time_text(at), static_cast<double>(at), "ns"}; }

ChartCell seconds_cell(double seconds) { return {seconds_text(seconds), seconds, "s"}; }

ChartCell number_cell(double value, int digits) { return {decimals(value, digits), value}; }

ChartCell percent_cell(double percent) { return {percent_text(percent), percent, "%"}; }

ChartCell count_cell(std::uint64_t n) { return {format_count(n), static_cast<double>(n)}; }

ChartCell said_cell(std::int64_t n) {
  return {count_or_dash(n), n < 0 ? std::numeric_limits<double>::quiet_NaN() : static_cast<double>(n)};
}

ChartCell name_cell(std::string shown, std::string_view whole) { return {std::move(shown), std::string(whole)}; }

ChartCell in_words(std::string shown, ChartCell cell) {
  cell.text = std::move(shown);
  return cell;
}

std::string full_text(const ChartCell& cell) {
  if (const double* const number = std::get_if<double>(&cell.full)) {
    return std::isfinite(*number) ? fmt::format("{}", *number) : std::string();
  }
  if (const std::string* const whole = std::get_if<std::string>(&cell.full)) return *whole;
  return cell.text;
}

std::vector<std::string> full_titles(const ChartTable& table) {
  std::vector<std::string> titles;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    std::string& title = titles.emplace_back(table.columns[c].title);
    const auto has_unit = [c](const auto& row) { return c < row.size() && !row[c].unit.empty(); };
    const auto with_unit = std::ranges::find_if(table.rows, has_unit);
    if (with_unit != table.rows.end()) title += fmt::format(" ({})", (*with_unit)[c].unit);
  }
  return distinct_texts(std::move(titles));
}

}  // namespace tv
