#include "core/view/statistics_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <unordered_map>

#include "core/analysis/scope.h"
#include "core/base/ascii.h"
#include "core/base/count_text.h"
#include "core/view/chart_cell.h"
#include "core/view/gpu_chart_parts.h"

namespace tv {
namespace {

constexpr std::array<StatsColumnInfo, kStatsColumns> kColumns = {{
    {"name", false, "A click goes to the next slice of this name"},
    {"category", false, "As the file says"},
    {"count", true, "Slices that touch the scope"},
    {"total", true, "Time within the scope, with what is nested in it"},
    {"share", true, "Self time as a part of the self time of all names: adds up to 100 %"},
    {"self", true, "Time within the scope, without what is nested in it"},
    {"min", true, "The shortest; of whole slices"},
    {"mean", true, "Mean length; of whole slices"},
    {"median", true, "Half of them are shorter; of whole slices"},
    {"p90", true, "Nine in ten are shorter; of whole slices"},
    {"p95", true, "95 in 100 are shorter; of whole slices"},
    {"p99", true, "99 in 100 are shorter; of whole slices"},
    {"max", true, "The longest; of whole slices"},
    {"std", true, "Standard deviation of the sample (n - 1); of whole slices"},
}};

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

// NaN: nothing is known of it.
double stats_number(const RangeStats& stats, const LabelStats& row, StatsColumn column) {
  const auto whole = [&](double ns) { return row.finished() > 0 ? ns : kNothing; };
  switch (column) {
    case StatsColumn::Count:
      return static_cast<double>(row.count);
    case StatsColumn::Total:
      return static_cast<double>(row.total);
    case StatsColumn::Share:
      return percent_of(row.self, stats.self);
    case StatsColumn::Self:
      return static_cast<double>(row.self);
    case StatsColumn::Min:
      return whole(static_cast<double>(row.min));
    case StatsColumn::Mean:
      return whole(row.mean);
    case StatsColumn::Median:
      return whole(row.p50);
    case StatsColumn::P90:
      return whole(row.p90);
    case StatsColumn::P95:
      return whole(row.p95);
    case StatsColumn::P99:
      return whole(row.p99);
    case StatsColumn::Max:
      return whole(static_cast<double>(row.max));
    case StatsColumn::Stddev:
      return row.finished() > 1 ? row.stddev : kNothing;
    case StatsColumn::Name:
    case StatsColumn::Category:
    case StatsColumn::kCount:
      break;
  }
  return kNothing;
}

std::string_view stats_text(const LabelTable& labels, const LabelStats& row, StatsColumn column) {
  return column == StatsColumn::Category ? labels.category(row.label) : counted_name(labels, row.label);
}

bool has_word(std::string_view text, std::string_view lower_word) {
  return std::search(text.begin(), text.end(), lower_word.begin(), lower_word.end(),
                     [](char in_text, char in_word) { return to_lower(in_text) == in_word; }) != text.end();
}

// A short form that stands for several names tells none of them: then it is the next longer one.
std::vector<NameForms> telling_forms(const LabelTable& labels, const RangeStats& stats) {
  std::vector<NameForms> out;
  for (std::size_t r = 0; r < std::min(stats.labels.size(), kMostShortNames); ++r) {
    const LabelId label = stats.labels[r].label;
    out.push_back(name_forms(labels.category(label), counted_name(labels, label)));
  }
  for (std::size_t form = 1; form < std::tuple_size_v<NameForms>; ++form) {
    std::unordered_map<std::string_view, std::string_view> of;  // form to the name it stands for; empty: several
    for (const NameForms& forms : out) {
      const auto [at, added] = of.try_emplace(forms[form], forms[0]);
      if (!added && at->second != forms[0]) at->second = {};
    }
    std::vector<bool> shared;
    for (const NameForms& forms : out) shared.push_back(!forms[0].empty() && of.at(forms[form]).empty());
    for (std::size_t r = 0; r < out.size(); ++r) {
      if (shared[r]) out[r][form] = out[r][form - 1];
    }
  }
  return out;
}

}  // namespace

std::span<const StatsColumnInfo, kStatsColumns> stats_columns() { return kColumns; }

Statistics make_statistics(const Snapshot& snapshot, const StatsQuery& query, ThreadPool& pool, std::stop_token stop) {
  Statistics made;
  made.stats = range_stats(*snapshot.trace, query, pool, stop);
  made.scope = query.range.value_or(snapshot.trace->shown());
  made.busy = busy_union(snapshot, {made.scope, query.lanes});
  made.names = telling_forms(snapshot.trace->labels, made.stats);
  return made;
}

std::string statistics_headline(const Statistics& made, const StatsQuery& query) {
  const RangeStats& stats = made.stats;
  const Ns length = made.scope.length(), idle = length - made.busy;
  std::string out =
      fmt::format("{} in {}", count_text(stats.count, "slice"),
                  query.range ? words_of({*query.range, query.lanes}) : "the whole trace, " + format_duration(length));
  out += fmt::format("; busy {} ({:.1f} %), idle {} ({:.1f} %)", format_duration(made.busy),
                     percent_of(made.busy, length), format_duration(idle), percent_of(idle, length));
  if (stats.cut > 0) {
    out += fmt::format("; total and self are clipped to it ({} reach beyond), lengths are of whole slices",
                       format_count(stats.cut));
  }
  if (stats.unfinished > 0) out += fmt::format("; {} never ended: in no time", format_count(stats.unfinished));
  return out;
}

std::vector<std::uint32_t> stats_rows(const LabelTable& labels, const RangeStats& stats, const StatsView& view) {
  std::vector<std::uint32_t> rows;
  const std::string typed = lower_case(view.words);
  std::vector<std::string_view> words;
  for (std::string_view rest = typed; !rest.empty();) {
    const std::size_t end = std::min(rest.find(' '), rest.size());
    if (end > 0) words.push_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  for (std::uint32_t r = 0; r < stats.labels.size(); ++r) {
    const LabelStats& row = stats.labels[r];
    const bool wanted = std::ranges::all_of(words, [&](std::string_view word) {
      return has_word(stats_text(labels, row, StatsColumn::Name), word) ||
             has_word(stats_text(labels, row, StatsColumn::Category), word);
    });
    if (wanted) rows.push_back(r);
  }
  const auto column = static_cast<StatsColumn>(std::min(view.order.column, kStatsColumns - 1));
  if (kColumns[static_cast<std::size_t>(column)].number) {
    std::vector<double> keys;
    for (const LabelStats& row : stats.labels) keys.push_back(stats_number(stats, row, column));
    order_rows(rows, keys, view.order.falling);
  } else {
    std::vector<std::string_view> keys;
    for (const LabelStats& row : stats.labels) keys.push_back(stats_text(labels, row, column));
    order_rows(rows, keys, view.order.falling);
  }
  return rows;
}

ChartCell stats_cell(const LabelTable& labels, const RangeStats& stats, std::uint32_t row, StatsColumn column) {
  const LabelStats& of = stats.labels[row];
  const double number = stats_number(stats, of, column);
  switch (column) {
    case StatsColumn::Name:
    case StatsColumn::Category:
      return std::string(stats_text(labels, of, column));
    case StatsColumn::Count:
      return {counted_text(of), number};
    case StatsColumn::Share:
      return percent_cell(number);
    default:
      return ns_cell(number);
  }
}

ChartTable stats_table(const LabelTable& labels, const RangeStats& stats, std::span<const std::uint32_t> rows) {
  ChartTable table;
  for (const StatsColumnInfo& column : kColumns) table.columns.push_back({std::string(column.title), column.number});
  table.columns.push_back({"unfinished", true});
  for (const std::uint32_t row : rows) {
    std::vector<ChartCell>& cells = table.rows.emplace_back();
    for (std::size_t c = 0; c < kStatsColumns; ++c)
      cells.push_back(stats_cell(labels, stats, row, static_cast<StatsColumn>(c)));
    cells.push_back(count_cell(stats.labels[row].unfinished));
  }
  return table;
}

}  // namespace tv
