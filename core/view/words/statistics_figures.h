// The figures of a row of statistics, in one table: the panel's columns, `traceview stats` as text and JSON, and the table of
// "Time by name" are made from it. A new figure is a member of LabelStats and a line here.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "core/query/range_stats.h"

namespace tv {

enum class FigureKind : std::uint8_t { Count, Time, Share };  ///< Time is in nanoseconds, Share in percent.

struct StatisticsFigure {
  /// Times and counts are exact whole numbers; means and quantiles are not. NaN: there are too few slices for it.
  using Value = std::variant<std::int64_t, double>;

  std::string_view id;       ///< stable id of the panel's column
  std::string_view meaning;  ///< a sentence for the tooltip
  FigureKind kind = FigureKind::Time;
  Value (*of)(const LabelStats& row, const RangeStats& all) = nullptr;
  std::string_view line = {};     ///< its title in `stats`; empty: left out there, because lines have to fit into a terminal
  std::string_view json = {};     ///< its member in `stats --json`; empty: left out there, because it costs a pass of its own or is
                                  ///< a ratio
  std::string_view summary = {};  ///< its title in "Time by name"; empty: left out there
  bool hidden = false;            ///< hidden in the panel until the user shows it

  double number(const LabelStats& row, const RangeStats& all) const;
};

std::span<const StatisticsFigure> statistics_figures();
/// The text of its cell. A count includes the slices that never ended: "3 (1 unfinished)".
std::string figure_text(const StatisticsFigure& figure, const LabelStats& row, const RangeStats& all);

}  // namespace tv
