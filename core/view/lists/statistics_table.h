// The table of statistics: a row per name (or category, lane, process, value of an argument) in an area or in the whole trace, as
// a table for the window (table_model.h). The panel draws it and copies or saves it; `traceview stats` writes it as CSV. Its
// figures are those of statistics_figures.h.
//
// Total, busy, self and share count only time within the scope; the other lengths are of whole slices (range_stats.h). Share is
// relative to the self time of all rows, filtered or not, so shares add up to 100 % even if slices are nested. Units:
// nanoseconds. Cost: that of range_stats; short forms of the first kMostShortNames names; a row's cells when it is drawn or
// written.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/gpu/stats_grouping.h"
#include "core/query/range_stats.h"
#include "core/view/table/table_model.h"
#include "core/view/words/short_name.h"

namespace tv {

/// The result for a scope, computed in the background.
struct Statistics {
  RangeStats stats;
  Grouping by;
  std::shared_ptr<const StatsGroups> groups;  ///< null: by name
  TimeRange scope;  ///< the area; if there is none, the part of the trace that is shown
  bool part = false;  ///< some of the opened files were not read in full
  Ns busy = 0;      ///< part of the scope during which any counted slice ran; without those that never ended
  std::string limits;    ///< the limits that applied, in words: "; ..."
  std::uint64_t failed = 0;  ///< slices whose records are needed, but cannot be read again
  std::string complaint;     ///< why there is no result: the filter was not understood
  /// For the first kMostShortNames rows. A short form that other rows have too is replaced by the next longer one.
  std::vector<NameForms> names;
};
inline constexpr std::size_t kMostShortNames = 20'000;
Statistics make_statistics(const Snapshot& snapshot, const StatsQuery& query, ThreadPool& pool,
                           std::stop_token stop = {}, const Grouping& by = {}, StatsProgress* progress = nullptr);

/// "1,234 slices in 20.1 ms of 3 lanes; busy 12.3 ms (61.2 %), idle 7.8 ms (38.8 %); ..."
std::string statistics_headline(const Statistics& made, const StatsQuery& query);

/// Rows are those of RangeStats, longest total first. If rows are names, a row's target is the name, else its longest slice.
class StatisticsModel : public TableModel {
 public:
  StatisticsModel(std::shared_ptr<const Trace> trace, std::shared_ptr<const Statistics> made);

  std::span<const TableColumn> columns() const override { return columns_; }
  std::size_t rows() const override { return made_->stats.labels.size(); }
  void text(std::size_t row, std::size_t column, std::string& out) const override;
  double number(std::size_t row, std::size_t column) const override;
  bool shorter(std::size_t row, std::size_t column, std::size_t n, std::string& out) const override;
  TableTarget target(std::size_t row) const override;

  const LabelStats& stats(std::size_t row) const { return made_->stats.labels[row]; }

 private:
  std::string_view name_of(std::size_t row) const;

  std::shared_ptr<const Trace> trace_;
  std::shared_ptr<const Statistics> made_;
  std::vector<TableColumn> columns_;
  std::size_t texts_ = 0;  ///< columns before the figures (statistics_figures.h)
};
/// The panel's initial state: sorted by total.
TableState statistics_state();

}  // namespace tv
