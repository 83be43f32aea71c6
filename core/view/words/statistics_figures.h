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

enum class FigureKind : std::uint8_t { Count, Time, Share };  ///< in nanoseconds; in percent

struct StatisticsFigure {
  /// Times and counts are whole numbers and exact, means and quantiles are not. NaN: too few slices for it.
  using Value = std::variant<std::int64_t, double>;

  std::string_view id;       ///< of the panel's column: stable
  std::string_view meaning;  ///< a sentence
  FigureKind kind = FigureKind::Time;
  Value (*of)(const LabelStats& row, const RangeStats& all) = nullptr;
  std::string_view line = {};     ///< its title in `stats`; empty: not there, for lines have to fit into a terminal
  std::string_view json = {};     ///< its member in `stats --json`; empty: not there, since it costs a pass of its own or is a ratio
  std::string_view summary = {};  ///< its title in "Time by name"; empty: not there
  bool hidden = false;            ///< in the panel, until the user shows it

  double number(const LabelStats& row, const RangeStats& all) const;
};

std::span<const StatisticsFigure> statistics_figures();
/// As a cell has it. Of the count with those that never ended: "3 (1 unfinished)".
std::string figure_text(const StatisticsFigure& figure, const LabelStats& row, const RangeStats& all);

}  // namespace tv
