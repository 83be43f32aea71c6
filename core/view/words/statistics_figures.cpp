#include "core/view/words/statistics_figures.h"

#include <array>
#include <limits>

#include "core/base/text/count_text.h"
#include "core/view/words/number_words.h"

namespace tv {
namespace {

using FigureValue = StatisticsFigure::Value;

FigureValue whole_number(std::uint64_t n) { return static_cast<std::int64_t>(n); }
// The value, or NaN if the row has fewer finished slices than `least`.
FigureValue of_at_least(std::uint64_t least, const LabelStats& row, FigureValue value) {
  return row.finished() >= least ? value : FigureValue(std::numeric_limits<double>::quiet_NaN());
}

using FigureRow = const LabelStats&;
using AllRows = const RangeStats&;

constexpr auto kFigures = std::to_array<StatisticsFigure>({
    {.id = "count", .meaning = "Slices that touch the scope", .kind = FigureKind::Count,
     .of = [](FigureRow row, AllRows) { return whole_number(row.count); }, .line = "count", .json = "count", .summary = "times"},
    {.id = "total", .meaning = "Time within the scope, including nested slices",
     .of = [](FigureRow row, AllRows) { return FigureValue(row.total); }, .line = "total", .json = "total_ns", .summary = "total"},
    {.id = "self", .meaning = "Time within the scope, without nested slices",
     .of = [](FigureRow row, AllRows) { return FigureValue(row.self); }, .line = "self", .json = "self_ns"},
    {.id = "share", .meaning = "Share of the self time of all rows; the shares add up to 100 %", .kind = FigureKind::Share,
     .of = [](FigureRow row, AllRows all) { return FigureValue(percent_of(row.self, all.self)); }},
    {.id = "busy", .meaning = "Time within the scope during which at least one of the slices ran",
     .of = [](FigureRow row, AllRows) { return FigureValue(row.busy); }},
    {.id = "min", .meaning = "Length of the shortest whole slice",
     .of = [](FigureRow row, AllRows) { return of_at_least(1, row, row.min); }, .json = "min_ns", .summary = "min"},
    {.id = "mean", .meaning = "Mean length of whole slices",
     .of = [](FigureRow row, AllRows) { return of_at_least(1, row, row.mean); }, .line = "mean", .json = "mean_ns", .summary = "mean"},
    {.id = "median", .meaning = "Half of the whole slices are shorter (p50)",
     .of = [](FigureRow row, AllRows) { return of_at_least(1, row, row.p50); }, .line = "p50", .json = "p50_ns", .summary = "median"},
    {.id = "p90", .meaning = "90 in 100 whole slices are shorter",
     .of = [](FigureRow row, AllRows) { return of_at_least(1, row, row.p90); }, .json = "p90_ns"},
    {.id = "p95", .meaning = "95 in 100 whole slices are shorter",
     .of = [](FigureRow row, AllRows) { return of_at_least(1, row, row.p95); }, .line = "p95", .json = "p95_ns"},
    {.id = "p99", .meaning = "99 in 100 whole slices are shorter",
     .of = [](FigureRow row, AllRows) { return of_at_least(1, row, row.p99); }, .line = "p99", .json = "p99_ns"},
    {.id = "max", .meaning = "Length of the longest whole slice",
     .of = [](FigureRow row, AllRows) { return of_at_least(1, row, row.max); }, .line = "max", .json = "max_ns", .summary = "max"},
    {.id = "std", .meaning = "Standard deviation of the lengths of whole slices, as of a sample (n - 1)",
     .of = [](FigureRow row, AllRows) { return of_at_least(2, row, row.stddev); }, .json = "stddev_ns", .summary = "std"},
    {.id = "unfinished", .meaning = "Slices that never ended; they are counted, but have no times", .kind = FigureKind::Count,
     .of = [](FigureRow row, AllRows) { return whole_number(row.unfinished); }, .json = "unfinished", .hidden = true},
});

}  // namespace

double StatisticsFigure::number(const LabelStats& row, const RangeStats& all) const {
  return std::visit([](auto value) { return static_cast<double>(value); }, of(row, all));
}

std::span<const StatisticsFigure> statistics_figures() { return kFigures; }

std::string figure_text(const StatisticsFigure& figure, const LabelStats& row, const RangeStats& all) {
  if (figure.id == "count") return counted_text(row);
  const double number = figure.number(row, all);
  switch (figure.kind) {
    case FigureKind::Count: return format_count(static_cast<std::uint64_t>(number));
    case FigureKind::Time: return ns_text(number);
    case FigureKind::Share: return percent_text(number);
  }
  return {};
}

}  // namespace tv
