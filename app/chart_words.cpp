#include "app/chart_words.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/view/charts_run.h"

namespace tv {
namespace {

// Letters, which are what a terminal counts.
std::size_t letters(const std::string& text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

std::string padded(const std::string& text, std::size_t width, bool right) {
  const std::string blanks(width - std::min(width, letters(text)), ' ');
  return right ? blanks + text : text + blanks;
}

}  // namespace

Result<ChartSettings> parse_settings(const RunData& data, const std::vector<std::string>& words) {
  ChartSettings settings;
  for (const std::string& text : words) {
    const std::size_t equals = text.find('=');
    const std::string name = text.substr(0, equals);
    if (equals == std::string::npos) return Error{"not a setting: " + text, {}, {}, "write it as NAME=VALUE"};
    const std::string value = text.substr(equals + 1);
    if (auto checked = check_setting(all_controls(data, settings), name, value); !checked) return checked.error();
    if (data.rollout && (name == kCompareA || name == kCompareB)) {
      if (auto checked = check_side(*data.rollout, name, value); !checked) return checked.error();
    }
    settings.set(name, value);
  }
  return settings;
}

std::string table_text(const Chart& chart, std::size_t rows) {
  std::string out = chart.title + "\n";
  if (!chart.empty.empty()) return out + chart.empty + "\n";
  if (!chart.table) return {};
  const ChartTable& table = *chart.table;
  const std::size_t shown = std::min(rows, table.rows.size());
  std::vector<std::size_t> widths;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    widths.push_back(letters(table.columns[c].title));
    for (std::size_t r = 0; r < shown; ++r) widths[c] = std::max(widths[c], letters(table.rows[r][c].text));
  }
  const auto line = [&](auto cell) {
    std::string text;
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      text += (c > 0 ? "  " : "") + padded(cell(c), widths[c], table.columns[c].number);
    }
    text.erase(text.find_last_not_of(' ') + 1);
    out += text + "\n";
  };
  line([&](std::size_t c) { return table.columns[c].title; });
  for (std::size_t r = 0; r < shown; ++r) line([&](std::size_t c) { return table.rows[r][c].text; });
  if (shown < table.rows.size()) out += fmt::format("... and {} more (--top N)\n", table.rows.size() - shown);
  for (const auto& [what, value] : chart.facts) out += fmt::format("{}: {}\n", what, value.text);
  return out;
}

}  // namespace tv
