// A chart as data, in the units of its axes. Pure functions make charts from the results of core/analysis; one widget draws all of
// them, one writer exports them as SVG, another as CSV. Colours are numbers of a palette, so that the same thing has the same
// colour in every chart, theme and export.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/ids.h"
#include "core/base/time.h"

namespace tv {

enum class ChartUnit : std::uint8_t { None, Seconds, Percent /* 50 is 50 % */, Count, Tokens, TokensPerSecond };

struct ChartAxis {
  std::string title;  ///< with its unit: "request duration (s)"
  ChartUnit unit = ChartUnit::None;
  bool log = false;
  bool from_zero = false;                   ///< the axis begins at 0 even if the data do not
  std::optional<double> least, most;        ///< fixed ends
  std::vector<std::string> categories;      ///< names of the positions 0, 1, 2 ...; empty: the axis has numbers
  /// For files, if categories are shortened or rounded: the full names, and the title with their unit. Empty: as drawn.
  std::vector<std::string> full_categories;
  std::string full_title;
  std::vector<double> category_values;      ///< value of the field at each category; empty: categories cannot be brushed
  std::string field;                        ///< field of request_filter.h by which brushing along the axis filters; empty: none
  /// Positions are seconds since the trace's beginning. With categories, category_values are the begins, in these seconds, of
  /// equally long stretches. Brushing along the axis selects an area.
  bool timeline = false;
};

/// Where a click on a mark leads; the meaning of `id` depends on the kind.
struct ChartTarget {
  enum class Kind : std::uint8_t { None, Request, Step, WorkerStep, Filter, TrainingStep, Setting, Place } kind = Kind::None;
  std::uint32_t id = 0;  ///< Request: RequestIx; Step: index of the step; WorkerStep: index; Filter: index into Chart::filters;
                         ///< TrainingStep: index into MetricLog::steps; Setting: index into Chart::settings; Place: index into
                         ///< Chart::places
  bool operator==(const ChartTarget&) const = default;
};

/// Somewhere on the timeline of the trace that the chart was made of.
struct ChartPlace {
  SliceId slice = kNone<SliceId>;  ///< the slice to select, if any
  TimeRange range;                 ///< the range to bring into view
  bool marked = false;             ///< the range is also selected as an area
  bool by_name = false;            ///< the slice stands for all slices of its name: these are singled out
};

struct ChartSeries {
  enum class Mark : std::uint8_t {
    Line,    ///< straight segments through the points; a NaN is a gap
    Dots,
    LineAndDots,
    Bars,    ///< one per x; those of all series are stacked in order, or side by side (Chart::side_by_side)
    Boxes,   ///< five y per x: least, p25, median, p75, most (y is 5 times as long as x)
    Span,    ///< a band between y[2i] and y[2i + 1] at x[i]; if x has categories, a bar from one to the other
  };
  std::string name;  ///< in the legend; empty: not in it
  Mark mark = Mark::Line;
  int color = 0;     ///< index in the chart palette; negative: a neutral grey; see chart_palette.h
  bool dashed = false;
  bool faint = false;   ///< context, not the subject
  bool hatched = false; ///< waiting
  std::vector<double> x, y;
  std::vector<ChartTarget> targets;  ///< per x; empty: none
  std::vector<std::string> labels;   ///< per x, drawn next to the mark if there is room; empty: none
  bool labels_are_names = false;     ///< labels do not repeat the values, so exported files need them too
};

/// A line across the chart with a name at its end: a quantile, a mean.
struct ChartRule {
  double at = 0;
  bool vertical = true;
  std::string text;
  int color = 0;
};

/// Cells of a grid whose columns and rows are the axes' categories; NaN: no cell.
struct ChartCells {
  std::string name;  ///< of the value, with its unit
  std::vector<double> value;           ///< row by row
  std::vector<ChartTarget> targets = {};
  bool shares = false;  ///< per cent: colours always go from 0 to 100, so 60 and 61 look alike; else from the least to the greatest value
};

/// A cell as people read it, and its value for programs: the shown text may be rounded, shortened, and in a convenient unit. The
/// makers in chart_cell.h set both; plain text serves as both.
struct ChartCell {
  std::string text;  ///< as shown
  /// For files: the text, unshortened; or a number with all its digits, NaN if there is none.
  std::variant<std::monostate, double, std::string> full;
  std::string_view unit = {};  ///< unit of that number, the same for all cells of a column; empty: none, or the title names it

  ChartCell() = default;
  ChartCell(std::string shown) : text(std::move(shown)) {}
  ChartCell(const char* shown) : text(shown) {}
  ChartCell(std::string_view shown) : text(shown) {}
  ChartCell(std::string shown, std::variant<std::monostate, double, std::string> full_value, std::string_view number_unit = {})
      : text(std::move(shown)), full(std::move(full_value)), unit(number_unit) {}
  bool operator==(std::string_view shown) const { return text == shown; }
};

/// A name with its value.
struct ChartFact {
  std::string name;
  ChartCell value;

  ChartFact(std::string fact_name, ChartCell cell) : name(std::move(fact_name)), value(std::move(cell)) {}
};

struct ChartTable {
  struct Column {
    std::string title;
    bool number = false;  ///< right-aligned
  };
  std::vector<Column> columns;
  std::vector<std::vector<ChartCell>> rows;
  std::vector<ChartTarget> targets;            ///< per row
};

/// Maps the x axis to the timeline (chart_time.h): linearly, or by a stretch of time per x.
struct ChartTime {
  double begin = 0;        ///< the time of x = 0, in ns
  double ns_per_x = 1e9;
  struct Stretch {
    double x = 0;
    TimeRange time;
  };
  std::vector<Stretch> stretches;  ///< in the order of x; if there are any, they replace the linear map
};

struct Chart {
  std::string id;     ///< file name and command: "request_cdf"
  std::string title;  ///< what it shows, and for which data: "Duration of requests, step 32 (172)"
  std::string note;   ///< how it is computed and where a script differs; shown as a tooltip, and below an exported picture
  std::string scope;  ///< how an area limits what it shows, if make_charts() cannot know that; appended to the title
  std::string within; ///< if it shows only the requests of one step or worker: their filter, which every brush is combined with
  LabelId slices_of = kNone<LabelId>;  ///< x is the duration in s of the slices of this name; brushes select among these
  std::string empty;  ///< why there is nothing to draw; if set, no data are shown
  ChartAxis x, y;
  std::optional<ChartAxis> y2;  ///< a second scale on the right, for the series in `on_y2`
  std::vector<std::size_t> on_y2;
  bool side_by_side = false;    ///< bars
  bool horizontal = false;      ///< bars go to the right: a series' x lies along the y axis, its y along the x axis
  std::vector<ChartSeries> series;
  std::vector<ChartRule> rules;
  std::optional<ChartCells> cells;
  std::optional<ChartTable> table;  ///< shown next to the picture, or instead of it if there are no series and no cells
  std::optional<ChartTable> numbers;  ///< for files and terminals, in place of the marks; none: the marks are the numbers
  std::vector<ChartFact> facts;      ///< a box in a corner
  std::vector<std::string> filters;  ///< expressions for targets of kind Filter
  std::vector<std::pair<std::string, std::string>> settings;  ///< name and value for targets of kind Setting
  std::optional<ChartTime> time;     ///< how x maps to the timeline; none: x is not a time
  std::vector<ChartPlace> places;    ///< the places that targets of kind Place refer to
};

inline Chart empty_chart(std::string id, std::string title, std::string why) {
  Chart chart;
  chart.id = std::move(id);
  chart.title = std::move(title);
  chart.empty = std::move(why);
  return chart;
}

inline constexpr int kNeutralColor = -1;  ///< for rules and means

}  // namespace tv
