#include "core/view/charts/charts_durations.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/analysis/statistics/cdf_points.h"
#include "core/analysis/statistics/durations.h"
#include "core/analysis/statistics/histogram.h"
#include "core/analysis/statistics/summary.h"
#include "core/base/text/count_text.h"
#include "core/view/chart/chart_cell.h"
#include "core/view/charts/gpu/gpu_chart_parts.h"
#include "core/view/words/number_words.h"

namespace tv {
namespace {

constexpr std::string_view kSlicesNote =
    "Of whole slices, also of those that reach out of an area; what never ended has no length and is left out. Bins "
    "are "
    "of equal width, on a logarithmic axis of equal ratio; a length on an edge counts above it, the longest in the "
    "last "
    "bin. Quantiles interpolate linearly between ranks, as numpy's and those of Statistics do. Where nothing is "
    "selected "
    "it is the name with the most time, of kernels where GPUs worked.";
constexpr std::string_view kNoLongerNote =
    "The share of the slices that took no longer: after the i-th shortest of n it is i / n, joined by straight lines.";
constexpr std::string_view kAtLeastNote =
    "The share of the slices that took at least as long, on a logarithmic axis: how heavy the tail is. It ends with "
    "the "
    "longest, at 1 / n.";
constexpr std::string_view kGroupsNote =
    "Quantiles interpolate linearly between ranks, as numpy's do. A row leads to the longest slice of it.";
constexpr std::array kSliceQuantiles = {0.5, 0.9, 0.99};
constexpr std::size_t kMostGroupsNamed = 8, kCurvePoints = 1000, kMostSlowest = 200, kNameLetters = 40;
constexpr double kUsualBins = 50, kWideSpread = 10;
constexpr int kAllColor = 9;

// The durations of one curve.
struct Lengths {
  std::string name;  ///< of a group; empty: all slices
  std::vector<double> seconds;
  int color = 0;
};

struct Spread {
  const Trace& trace;
  const Durations& of;
  Lengths all;
  std::vector<Lengths> groups;  ///< empty if groups are not distinguished
  Summary summary;
  bool log = false;
  std::string title;  ///< "gemm, 1,200 slices, 2 ranks"
  std::string scope;
};

std::vector<double> in_seconds(const std::vector<SliceLength>& lengths) {
  std::vector<double> out;
  out.reserve(lengths.size());
  for (const SliceLength& one : lengths) out.push_back(to_seconds(one.duration));
  return out;
}

bool on_log_axis(const ChartSettings& settings, const std::vector<SliceLength>& lengths) {
  if (lengths.empty() || lengths.back().duration <= 0) return false;
  const std::string_view said = settings.text(kDurationsAxis);
  if (!said.empty()) return said == "log";
  const auto shortest = std::ranges::find_if(lengths, [](const SliceLength& one) { return one.duration > 0; });
  return static_cast<double>(lengths.back().duration) >= kWideSpread * static_cast<double>(shortest->duration);
}

ChartAxis length_axis(bool log) {
  ChartAxis axis;
  axis.title = "duration (s)";
  axis.unit = ChartUnit::Seconds;
  axis.log = log;
  return axis;
}

Chart spread_chart(const Spread& spread, std::string id, std::string_view what, std::string_view note) {
  Chart chart;
  chart.id = std::move(id);
  chart.title = fmt::format("{} {}", what, spread.title);
  chart.note = note;
  chart.scope = spread.scope;
  chart.slices_of = spread.of.label;
  chart.x = length_axis(spread.log);
  return chart;
}

void add_quantile_rules(Chart& chart, const Summary& summary) {
  constexpr std::array<const char*, 3> kNames = {"median", "p90", "p99"};
  for (std::size_t q = 0; q < kNames.size(); ++q) {
    if (chart.x.log && summary.quantiles[q] <= 0) continue;
    chart.rules.push_back({summary.quantiles[q], true,
                           fmt::format("{} {}", kNames[q], seconds_text(summary.quantiles[q])), kNeutralColor});
  }
}

// The outline of a histogram: two points per bin.
ChartSeries outline_of(const std::vector<double>& edges, const std::vector<std::size_t>& count) {
  ChartSeries line;
  for (std::size_t b = 0; b < count.size(); ++b) {
    for (const double edge : {edges[b], edges[b + 1]}) {
      line.x.push_back(edge);
      line.y.push_back(static_cast<double>(count[b]));
    }
  }
  return line;
}

Chart histogram_of(const Spread& spread, std::size_t bins) {
  Chart chart = spread_chart(spread, "durations", "Durations of", kSlicesNote);
  const Histogram made = histogram(spread.all.seconds, bins, spread.log);
  chart.y.title = "slices";
  chart.y.unit = ChartUnit::Count;
  chart.y.from_zero = true;
  ChartSeries outline = outline_of(made.edges, made.count), fill = outline;
  fill.mark = ChartSeries::Mark::Span;
  fill.y.clear();
  for (const double count : outline.y) fill.y.insert(fill.y.end(), {0, count});
  outline.color = fill.color = spread.all.color;
  outline.faint = fill.faint = !spread.groups.empty();
  if (!spread.groups.empty()) outline.name = "all";
  chart.series = {std::move(fill), std::move(outline)};
  for (const Lengths& group : spread.groups) {
    ChartSeries& line = chart.series.emplace_back(outline_of(made.edges, counts_in(made.edges, group.seconds)));
    line.name = group.name;
    line.color = group.color;
  }
  add_quantile_rules(chart, spread.summary);
  chart.facts = {{"count", count_cell(spread.summary.n)},
                 {"median", seconds_cell(spread.summary.median)},
                 {"p90", seconds_cell(spread.summary.quantiles[1])},
                 {"p99", seconds_cell(spread.summary.quantiles[2])},
                 {"min", seconds_cell(spread.summary.min)},
                 {"max", seconds_cell(spread.summary.max)},
                 {"mean", seconds_cell(spread.summary.mean)}};
  if (spread.of.unfinished > 0) chart.facts.emplace_back("never ended", count_cell(spread.of.unfinished));
  if (made.not_positive > 0) chart.facts.emplace_back("no length", count_cell(made.not_positive));
  return chart;
}

ChartSeries share_curve(const Lengths& lengths, bool log, bool at_least) {
  ChartSeries series;
  series.name = lengths.name;
  series.color = lengths.color;
  const std::size_t n = lengths.seconds.size();
  for (const std::size_t i : cdf_points(n, kCurvePoints)) {
    if (log && lengths.seconds[i] <= 0) continue;  // not representable on the axis
    series.x.push_back(lengths.seconds[i]);
    series.y.push_back(100.0 * static_cast<double>(at_least ? n - i : i + 1) / static_cast<double>(n));
  }
  return series;
}

Chart shares_of(const Spread& spread, bool at_least) {
  Chart chart = at_least ? spread_chart(spread, "durations_ccdf", "CCDF of", kAtLeastNote)
                         : spread_chart(spread, "durations_cdf", "CDF of", kNoLongerNote);
  chart.y.title = at_least ? "took at least as long (%)" : "took no longer (%)";
  chart.y.unit = ChartUnit::Percent;
  chart.y.most = 100;
  if (at_least) {
    chart.y.log = true;
  } else {
    chart.y.least = 0;
  }
  chart.series.push_back(share_curve(spread.all, spread.log, at_least));
  if (!spread.groups.empty()) chart.series.back().name = "all";
  for (const Lengths& group : spread.groups) {
    ChartSeries curve = share_curve(group, spread.log, at_least);
    if (!curve.x.empty()) chart.series.push_back(std::move(curve));
  }
  return chart;
}

Chart table_of_groups(const Spread& spread, bool together) {
  Chart chart = spread_chart(spread, "durations_groups", "Ranks, GPUs, streams or threads of", kGroupsNote);
  ChartTable& table = chart.table.emplace();
  table.columns = {{"of"},        {"count", true}, {"median", true}, {"p90", true},  {"p99", true},
                   {"max", true}, {"min", true},   {"mean", true},   {"total", true}};
  const auto add = [&](const std::string& name, const std::vector<SliceLength>& lengths) {
    const Summary s = summarize_sorted(in_seconds(lengths), kSliceQuantiles);
    Ns total = 0;
    for (const SliceLength& one : lengths) total += one.duration;
    table.rows.push_back({name, count_cell(s.n), seconds_cell(s.median), seconds_cell(s.quantiles[1]),
                          seconds_cell(s.quantiles[2]), seconds_cell(s.max), seconds_cell(s.min), seconds_cell(s.mean),
                          duration_cell(total)});
    table.targets.push_back(slice_target(chart, spread.trace, lengths.back().slice));
  };
  if (together || spread.of.groups.size() != 1) add("all", spread.of.all);
  for (const DurationGroup& group : spread.of.groups) {
    if (!together) add(group.name, group.lengths);
  }
  return chart;
}

Chart slowest_of(const Spread& spread) {
  Chart chart = spread_chart(spread, "durations_slowest", "The slowest of", kGroupsNote);
  chart.note = "Longest first; L walks them on the timeline.";
  ChartTable& table = chart.table.emplace();
  table.columns = {{"length", true}, {"from", true}, {"where"}};
  const std::vector<SliceLength>& all = spread.of.all;
  for (std::size_t i = 0; i < std::min(all.size(), kMostSlowest); ++i) {
    const SliceId slice = all[all.size() - 1 - i].slice;
    const LaneId lane = spread.trace.row(spread.trace.row_of(slice)).lane;
    const LaneId outermost = outermost_group(spread.trace, lane);
    const std::string& own = spread.trace.lane(lane).name;
    table.rows.push_back({duration_cell(all[all.size() - 1 - i].duration),
                          time_cell(spread.trace.begin_of(slice)),
                          outermost == lane ? own : spread.trace.lane(outermost).name + ", " + own});
    table.targets.push_back(slice_target(chart, spread.trace, slice));
  }
  return chart;
}

struct NamedDurations {
  Durations of;
  std::string scope, why_empty;
};

// The durations in the area; if it has no slices of the name, those of the whole trace.
NamedDurations named_durations(const Trace& trace, const ChartQuestion& question) {
  NamedDurations out;
  const std::string said(question.settings.text(kDurationsOf));
  std::optional<LabelId> label = said.empty() ? question.label : label_of_text(trace, said, question.area);
  if (!label && !said.empty()) {
    out.why_empty = fmt::format("No name has \"{}\" in it", said);
    return out;
  }
  if (!label) label = leading_name(trace, question.area);
  if (!label) label = leading_name(trace);
  if (!label) {
    out.why_empty = "There are no slices";
    return out;
  }
  out.of = durations_or_all(trace, *label, question.area);
  if (!question.area) return out;
  out.scope = out.of.in_scope ? "in " + words_of(*question.area, out.of.on_lanes ? "" : "all lanes")
                              : "all data: none of it in " + words_of(*question.area);
  return out;
}

}  // namespace

std::vector<Chart> duration_charts(const RunData& data, const ChartQuestion& question) {
  const Trace& trace = *data.trace;
  const NamedDurations named = named_durations(trace, question);
  if (named.of.label == kNone<LabelId>) return {empty_chart("durations", "Durations of slices", named.why_empty)};
  const LabelSet labels = counted_together(trace.labels, named.of.label);
  const std::string whole(labels.size() > 1 ? trace.labels.category(named.of.label)
                                            : trace.labels.name(named.of.label));
  const std::string name = whole.empty() ? "(no name)" : short_kernel(whole, kNameLetters);
  if (named.of.all.empty()) {
    return {empty_chart("durations", "Durations of " + name,
                        named.of.unfinished > 0 ? "None of them ended" : "It has only instants, nothing with a duration")};
  }
  const bool together = question.settings.text(kDurationsBy) == "all" || named.of.groups.size() < 2;
  Spread spread{trace, named.of,   {"", in_seconds(named.of.all), together ? 0 : kAllColor}, {}, {}, false,
                {},    named.scope};
  spread.title = fmt::format("{}, {}", name, count_text(named.of.all.size(), "slice"));
  spread.log = on_log_axis(question.settings, named.of.all);
  spread.summary = summarize_sorted(spread.all.seconds, kSliceQuantiles);
  for (const DurationGroup& group : named.of.groups) {
    if (together || spread.groups.size() == kMostGroupsNamed) break;
    spread.groups.push_back({group.name, in_seconds(group.lengths), static_cast<int>(spread.groups.size())});
  }
  const auto bins =
      static_cast<std::size_t>(std::clamp(question.settings.number(kDurationsBins, kUsualBins), 5.0, 200.0));
  std::vector<Chart> charts;
  charts.push_back(histogram_of(spread, bins));
  charts.push_back(shares_of(spread, false));
  charts.push_back(shares_of(spread, true));
  charts.push_back(table_of_groups(spread, together));
  charts.push_back(slowest_of(spread));
  if (!together && named.of.groups.size() > kMostGroupsNamed) {
    for (std::size_t c = 0; c < 3; ++c) {
      charts[c].note += fmt::format(" Drawn are the first {} of {} groups; the table has all.", kMostGroupsNamed,
                                    named.of.groups.size());
    }
  }
  return charts;
}

std::vector<ChartControl> duration_controls(const RunData&, const ChartSettings& settings) {
  return {
      text_control(settings, std::string(kDurationsOf), "of",
                   "A name, or a part of one; empty: the selected slice's, else that with the most time"),
      choice_control(settings, std::string(kDurationsBy), "by", "How slices are grouped",
                     {{"", "rank, GPU, stream"}, {"all", "all together"}}),
      choice_control(settings, std::string(kDurationsAxis), "axis", "Of durations; by itself: by how far they spread",
                     {{"", "by itself"}, {"log", "logarithmic"}, {"linear", "linear"}}),
      number_control(settings, std::string(kDurationsBins), "bins", "Of the histogram", kUsualBins, 5, 200, "")};
}

}  // namespace tv
