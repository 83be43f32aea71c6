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
#include "core/view/chart/histogram_table.h"
#include "core/view/charts/gpu/gpu_chart_parts.h"
#include "core/view/words/number_words.h"

namespace tv {
namespace {

constexpr std::string_view kSlicesNote =
    "Durations are of whole slices, even if they reach out of the area. Slices that never ended are left out. Bins have equal "
    "widths or, on a logarithmic axis, equal ratios. A duration on an edge counts in the bin above it, the longest in the "
    "last bin. Quantiles interpolate linearly between ranks, as in numpy and in Statistics. If no slice is selected, the name "
    "with the most time is shown, among kernels if GPUs worked.";
constexpr std::string_view kNoLongerNote =
    "The share of slices that took no longer: i / n at the i-th shortest of n, joined by straight lines.";
constexpr std::string_view kAtLeastNote =
    "The share of slices that took at least as long, on a logarithmic axis: it shows how heavy the tail is. The curve ends "
    "with the longest slice, at 1 / n.";
constexpr std::string_view kGroupsNote =
    "Quantiles interpolate linearly between ranks, as in numpy. A row leads to its longest slice.";
constexpr std::array kSliceQuantiles = {0.5, 0.9, 0.99};
constexpr std::size_t kMostGroupsNamed = 8, kCurvePoints = 1000, kMostSlowest = 200, kNameLetters = 40;
constexpr double kUsualBins = 50, kWideSpread = 10;
constexpr int kAllColor = 9;

// The sorted durations of one curve.
struct Lengths {
  std::string name;  ///< of a group; empty: all slices
  std::vector<double> seconds;
  int color = 0;
};

struct Spread {
  const Trace& trace;
  const Durations& durations;
  Lengths all;
  std::vector<Lengths> groups;  ///< empty if groups are not distinguished
  Summary summary;
  bool log = false;
  std::string title;  ///< "gemm, 1,200 slices"
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
  const std::string_view axis = settings.text(kDurationsAxis);
  if (!axis.empty()) return axis == "log";
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
  chart.slices_of = spread.durations.label;
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
  std::vector<CountsOfBins> columns = {{spread.groups.empty() ? chart.y.title : outline.name, made.count}};
  chart.series = {std::move(fill), std::move(outline)};
  for (const Lengths& group : spread.groups) {
    columns.push_back({group.name, counts_in(made.edges, group.seconds)});
    ChartSeries& line = chart.series.emplace_back(outline_of(made.edges, columns.back().count));
    line.name = group.name;
    line.color = group.color;
  }
  chart.numbers = histogram_table(made.edges, columns);
  add_quantile_rules(chart, spread.summary);
  chart.facts = {{"count", count_cell(spread.summary.n)},
                 {"median", seconds_cell(spread.summary.median)},
                 {"p90", seconds_cell(spread.summary.quantiles[1])},
                 {"p99", seconds_cell(spread.summary.quantiles[2])},
                 {"min", seconds_cell(spread.summary.min)},
                 {"max", seconds_cell(spread.summary.max)},
                 {"mean", seconds_cell(spread.summary.mean)}};
  if (spread.durations.unfinished > 0) chart.facts.emplace_back("never ended", count_cell(spread.durations.unfinished));
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
  if (together || spread.durations.groups.size() != 1) add("all", spread.durations.all);
  for (const DurationGroup& group : spread.durations.groups) {
    if (!together) add(group.name, group.lengths);
  }
  return chart;
}

Chart slowest_of(const Spread& spread) {
  Chart chart = spread_chart(spread, "durations_slowest", "The slowest of", "Longest first.");
  ChartTable& table = chart.table.emplace();
  table.columns = {{"length", true}, {"from", true}, {"where"}};
  const std::vector<SliceLength>& all = spread.durations.all;
  for (std::size_t i = 0; i < std::min(all.size(), kMostSlowest); ++i) {
    const SliceId slice = all[all.size() - 1 - i].slice;
    const LaneId lane = spread.trace.row(spread.trace.row_of(slice)).lane;
    const LaneId outermost = outermost_group(spread.trace, lane);
    const std::string& lane_name = spread.trace.lane(lane).name;
    table.rows.push_back({duration_cell(all[all.size() - 1 - i].duration),
                          time_cell(spread.trace.begin_of(slice)),
                          outermost == lane ? lane_name : spread.trace.lane(outermost).name + ", " + lane_name});
    table.targets.push_back(slice_target(chart, spread.trace, slice));
  }
  return chart;
}

struct NamedDurations {
  Durations durations;
  std::string scope, why_empty;
};

// The durations in the area; if it has no slices of the name, those of the whole trace.
NamedDurations named_durations(const Trace& trace, const ChartQuestion& question) {
  NamedDurations out;
  const std::string part(question.settings.text(kDurationsOf));
  std::optional<LabelId> label = part.empty() ? question.label : label_of_text(trace, part, question.area);
  if (!label && !part.empty()) {
    out.why_empty = fmt::format("No name contains \"{}\"", part);
    return out;
  }
  if (!label) label = leading_name(trace, question.area);
  if (!label) label = leading_name(trace);
  if (!label) {
    out.why_empty = "There are no slices";
    return out;
  }
  out.durations = durations_or_all(trace, *label, question.area);
  if (!question.area) return out;
  out.scope = out.durations.in_scope ? "in " + words_of(*question.area, out.durations.on_lanes ? "" : "all lanes")
                                         : "all data: none of them in " + words_of(*question.area);
  return out;
}

}  // namespace

std::vector<Chart> duration_charts(const RunData& data, const ChartQuestion& question) {
  const Trace& trace = *data.trace;
  const NamedDurations named = named_durations(trace, question);
  if (named.durations.label == kNone<LabelId>) return {empty_chart("durations", "Durations of slices", named.why_empty)};
  const LabelSet labels = counted_together(trace.labels, named.durations.label);
  const std::string whole(labels.size() > 1 ? trace.labels.category(named.durations.label)
                                            : trace.labels.name(named.durations.label));
  const std::string name = whole.empty() ? "(no name)" : short_kernel(whole, kNameLetters);
  if (named.durations.all.empty()) {
    return {empty_chart("durations", "Durations of " + name,
                        named.durations.unfinished > 0 ? "None of these slices ended"
                                                       : "This name has only instants, which have no duration")};
  }
  const bool together = question.settings.text(kDurationsBy) == "all" || named.durations.groups.size() < 2;
  Spread spread{trace, named.durations, {"", in_seconds(named.durations.all), together ? 0 : kAllColor}, {}, {}, false, {}, named.scope};
  spread.title = fmt::format("{}, {}", name, count_text(named.durations.all.size(), "slice"));
  spread.log = on_log_axis(question.settings, named.durations.all);
  spread.summary = summarize_sorted(spread.all.seconds, kSliceQuantiles);
  for (const DurationGroup& group : named.durations.groups) {
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
  if (!together && named.durations.groups.size() > kMostGroupsNamed) {
    for (std::size_t c = 0; c < 3; ++c) {
      charts[c].note += fmt::format(" The picture has the first {} of {} groups, the table has all.", kMostGroupsNamed,
                                    named.durations.groups.size());
    }
  }
  return charts;
}

std::vector<ChartControl> duration_controls(const RunData&, const ChartSettings& settings) {
  return {
      text_control(settings, std::string(kDurationsOf), "of",
                   "A name, or a part of one. Empty: the name of the selected slice, else the one with the most time"),
      choice_control(settings, std::string(kDurationsBy), "by", "How slices are grouped",
                     {{"", "rank, GPU, stream"}, {"all", "all together"}}),
      choice_control(settings, std::string(kDurationsAxis), "axis", "The axis of durations. Automatic: logarithmic if they spread widely",
                     {{"", "automatic"}, {"log", "logarithmic"}, {"linear", "linear"}}),
      number_control(settings, std::string(kDurationsBins), "bins", "How many bins the histogram has", kUsualBins, 5, 200, "")};
}

}  // namespace tv
