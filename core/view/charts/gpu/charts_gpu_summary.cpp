// Time by name: of kernels, calls, copies, marked ranges; compared between processes.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/base/text/count_text.h"
#include "core/query/lane_set.h"
#include "core/query/range_stats.h"
#include "core/view/chart/chart_cell.h"
#include "core/view/charts/gpu/charts_gpu.h"
#include "core/view/charts/gpu/gpu_chart_parts.h"
#include "core/view/words/number_words.h"
#include "core/view/words/statistics_figures.h"

namespace tv {
namespace {

constexpr std::string_view kSummaryNote =
    "Nested and parallel slices all count in full, so times can add up to more than has passed. In an area, totals and shares "
    "are clipped to it; all other times are of whole slices. Std is that of a sample (n - 1). If there are several processes, "
    "the table names those with the least and the most time. Slices that never ended count, but are excluded from times.";
constexpr std::size_t kBarsShown = 15, kProcessesShown = 4, kMostSummaryRows = 1000;

// The time of each name in one process.
struct TimeOfProcess {
  LaneId process;
  std::map<LabelId, Ns> total;
};

// Those of the given lanes, in display order, that belong to a process. Groups without rows are left out: the lanes in them are
// listed too.
std::vector<LaneId> lanes_in(const Trace& trace, const std::vector<LaneId>& lanes, LaneId process) {
  std::vector<LaneId> out;
  for (auto at = std::ranges::lower_bound(lanes, process); at != lanes.end() && *at < trace.lane(process).subtree_end; ++at) {
    if (trace.lane(*at).row_count > 0) out.push_back(*at);
  }
  return out;
}

std::vector<TimeOfProcess> times_of_processes(const GpuActivity& activity, const StatsQuery& query, ThreadPool& pool) {
  std::vector<TimeOfProcess> out;
  const bool all_lanes = query.lanes.empty();
  const std::vector<LaneId> lanes = all_lanes ? std::vector<LaneId>() : resolve_lanes(*activity.trace, query.lanes);
  std::set<LaneId> seen;
  StatsQuery of_process = query;
  for (const Gpu& gpu : activity.gpus) {
    if (!seen.insert(gpu.process).second) continue;
    of_process.lanes = all_lanes ? std::vector{gpu.process} : lanes_in(*activity.trace, lanes, gpu.process);
    if (of_process.lanes.empty()) continue;
    TimeOfProcess& time = out.emplace_back(TimeOfProcess{gpu.process, {}});
    for (const LabelStats& stats : range_stats(*activity.trace, of_process, pool).labels)
      time.total[stats.label] = stats.total;
  }
  return out;
}

Ns time_in(const TimeOfProcess& process, LabelId label) {
  const auto at = process.total.find(label);
  return at == process.total.end() ? 0 : at->second;
}

void add_summary_bars(Chart& chart, const Trace& trace, const RangeStats& stats,
                      const std::vector<TimeOfProcess>& processes, const std::vector<ChartTarget>& targets) {
  for (std::size_t i = 0; i < std::min(stats.labels.size(), kBarsShown); ++i) {
    chart.y.full_categories.emplace_back(counted_name(trace.labels, stats.labels[i].label));
  }
  const std::vector<std::string> rows = short_kernels(chart.y.full_categories, 40);
  std::vector<PartOfBar> parts;
  if (processes.size() > 1 && processes.size() <= kProcessesShown) {
    chart.side_by_side = true;
    for (std::size_t p = 0; p < processes.size(); ++p) {
      parts.push_back({trace.lane(processes[p].process).name, static_cast<int>(p), false,
                       [&, p](std::size_t row) { return to_seconds(time_in(processes[p], stats.labels[row].label)); }});
    }
  } else {
    parts.push_back({"", kComputeColor, false, [&](std::size_t row) { return to_seconds(stats.labels[row].total); }});
  }
  add_bars(chart, rows, parts, [](double value) { return seconds_text(value); },
           {targets.begin(), targets.begin() + static_cast<std::ptrdiff_t>(rows.size())});
}

void add_spread(const Trace& trace, const std::vector<TimeOfProcess>& processes, LabelId label,
                std::vector<ChartCell>& row) {
  if (processes.size() < 2) return;
  const auto time = [label](const TimeOfProcess& process) { return time_in(process, label); };
  const TimeOfProcess& least = *std::ranges::min_element(processes, {}, time);
  const TimeOfProcess& most = *std::ranges::max_element(processes, {}, time);
  for (const TimeOfProcess* const process : {&least, &most}) {
    row.push_back(duration_cell(time(*process)));
    row.emplace_back(trace.lane(process->process).name);
  }
}

}  // namespace

WorkKind summary_kind(const ChartSettings& settings) {
  for (std::size_t k = 0; k < kWorkKinds; ++k) {
    if (name(static_cast<WorkKind>(k)) == settings.text(kSummaryOf)) return static_cast<WorkKind>(k);
  }
  return WorkKind::kernels;
}

std::vector<Chart> gpu_summary_charts(const RunData& data, const ChartQuestion& question) {
  ThreadPool pool = background_pool();
  const Trace& trace = *data.gpu->trace;
  const WorkKind kind = summary_kind(question.settings);
  StatsQuery query = query_of(trace, kind);
  Chart chart;
  if (question.area) {
    query.range = question.area->range;
    const ScopeLanes lanes = lanes_of(trace, *question.area, lanes_with_label(trace, [&](LabelId label) { return query.labels[idx(label)]; }));
    if (lanes.lanes_count) query.lanes = question.area->lanes;
    chart.scope = "in " + words_of(*question.area, lanes.lanes_count ? "" : "all lanes");
  }
  const RangeStats stats = range_stats(trace, query, pool);
  chart.id = fmt::format("summary_{}", name(kind));
  chart.title = fmt::format("Time by name, {}: {} names, {} times, {}", meaning(kind),
                            format_count(stats.labels.size()), format_count(stats.count), format_duration(stats.total));
  chart.note = kSummaryNote;
  if (stats.labels.empty()) {
    chart.empty = fmt::format("There are no {}{}", meaning(kind), question.area ? " in this area" : "");
    return {chart};
  }
  chart.x.title = "time (s)";
  chart.x.unit = ChartUnit::Seconds;
  const std::vector<TimeOfProcess> processes = times_of_processes(*data.gpu, query, pool);
  const std::vector<std::string> names = shown_names(trace.labels, stats), cells = short_kernels(names);
  ChartTable& table = chart.table.emplace();
  table.columns = {{"name"}};
  for (const StatisticsFigure& figure : statistics_figures()) {
    if (!figure.summary.empty()) table.columns.push_back({std::string(figure.summary), true});
    if (figure.id == "total") table.columns.push_back({"%", true});
  }
  if (processes.size() > 1) {
    for (const char* const title : {"least of a process", "most of a process"}) {
      table.columns.push_back({title, true});
      table.columns.push_back({"which"});
    }
  }
  for (std::size_t i = 0; i < std::min(stats.labels.size(), kMostSummaryRows); ++i) {
    const LabelStats& s = stats.labels[i];
    std::vector<ChartCell>& row = table.rows.emplace_back(std::vector<ChartCell>{name_cell(cells[i], names[i])});
    for (const StatisticsFigure& figure : statistics_figures()) {
      const std::string_view unit = figure.kind == FigureKind::Time ? "ns" : "";
      if (!figure.summary.empty()) row.push_back(ChartCell(figure_text(figure, s, stats), figure.number(s, stats), unit));
      if (figure.id == "total") row.push_back(number_cell(percent_of(s.total, stats.total), 1));
    }
    add_spread(trace, processes, s.label, row);
    table.targets.push_back(name_target(chart, trace, s.longest));
  }
  add_summary_bars(chart, trace, stats, processes, table.targets);
  std::vector<Chart> charts;
  charts.push_back(std::move(chart));
  return charts;
}

std::vector<ChartControl> gpu_summary_controls(const RunData&, const ChartSettings& settings) {
  std::vector<ChartControl::Choice> choices;
  for (std::size_t k = 0; k < kWorkKinds; ++k) {
    const auto kind = static_cast<WorkKind>(k);
    choices.push_back({k == 0 ? std::string() : std::string(name(kind)), std::string(meaning(kind))});
  }
  return {choice_control(settings, std::string(kSummaryOf), "of", "What is summed up by name", std::move(choices))};
}

}  // namespace tv
