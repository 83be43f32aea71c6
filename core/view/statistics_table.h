// The table of statistics: a row per name in an area or in everything, what its columns are, which rows are shown in
// which order. The panel draws it and copies or saves it; `traceview stats --csv` prints the same.
//
// Total, self and share are of the scope, all lengths of whole slices (range_stats.h). Share is of the self time of all
// names, filtered or not, so shares add up to 100 % also where slices lie within each other. Units: nanoseconds. Cost:
// that of range_stats; a form of a name per row for the first kMostShortNames; a row's cells when it is drawn or
// written.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/query/range_stats.h"
#include "core/view/short_name.h"
#include "core/view/table_order.h"

namespace tv {

enum class StatsColumn : std::uint8_t {
  Name,
  Category,
  Count,
  Total,
  Share,
  Self,
  Min,
  Mean,
  Median,
  P90,
  P95,
  P99,
  Max,
  Stddev,
  kCount
};
inline constexpr std::size_t kStatsColumns = static_cast<std::size_t>(StatsColumn::kCount);

struct StatsColumnInfo {
  std::string_view title;
  bool number;
  std::string_view meaning;  ///< one sentence, for a tooltip
};
std::span<const StatsColumnInfo, kStatsColumns> stats_columns();

/// What is computed for a scope, in the background.
struct Statistics {
  RangeStats stats;
  TimeRange scope;  ///< the area, or what is shown of a whole trace
  Ns busy = 0;      ///< of it: during which at least one of its lanes did something
  std::vector<NameForms>
      names;  ///< per row, shorter ones only where no other row has the same; of rows beyond these the whole name
};
inline constexpr std::size_t kMostShortNames = 20'000;
Statistics make_statistics(const Snapshot& snapshot, const StatsQuery& query, ThreadPool& pool,
                           std::stop_token stop = {});

/// "1,234 slices in 20.1 ms of 3 lanes; 12.3 ms (61.2 %) busy, 7.8 ms (38.8 %) idle; ..."
std::string statistics_headline(const Statistics& made, const StatsQuery& query);

/// Which rows of it are shown: those with all of the words in their name or category (ASCII letters in either case).
struct StatsView {
  TableOrder order = {static_cast<std::size_t>(StatsColumn::Total), true};
  std::string words;
  bool operator==(const StatsView&) const = default;
};
std::vector<std::uint32_t> stats_rows(const LabelTable& labels, const RangeStats& stats, const StatsView& view);

ChartCell stats_cell(const LabelTable& labels, const RangeStats& stats, std::uint32_t row, StatsColumn column);
/// For files: all columns, and how many never ended.
ChartTable stats_table(const LabelTable& labels, const RangeStats& stats, std::span<const std::uint32_t> rows);

}  // namespace tv
