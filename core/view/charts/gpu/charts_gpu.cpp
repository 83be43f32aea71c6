// How GPUs spend their time: in total, and over time.
#include "core/view/charts/gpu/charts_gpu.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "core/analysis/run/capture_check.h"
#include "core/view/chart/chart_cell.h"
#include "core/view/charts/gpu/gpu_chart_parts.h"
#include "core/view/words/number_words.h"

namespace tv {
namespace {

constexpr std::string_view kTimeNote =
    "Shares are of each device's time from its first kernel, copy or memset to its last. Rules decide by a kernel's name "
    "whether it is communication; the rules that matched are listed. Computing is any other kernel. Communication during "
    "computing is overlapped, otherwise exposed. Copies and memsets count where nothing else runs; idle is the rest. Time in "
    "which several streams work counts once. If no rule matches, nothing is known about communication.";
constexpr std::string_view kGraphsNote =
    " nsys recorded no kernels inside graphs, which is its default (--cuda-graph-trace=node records them). Each graph counts "
    "as a whole, as work of its own kind, and communication during a graph as overlapped.";
constexpr std::string_view kUseNote =
    "How the GPU spent each stretch of time; for the rest up to 100 % it was idle. Stretches that were not recorded are "
    "empty.";

struct GpuPart {
  std::string_view value, title;
  int color;
  Ns (*of)(const GpuTime& time);
};
constexpr std::array<GpuPart, 5> kParts = {
    {{"compute", "compute", kComputeColor, [](const GpuTime& t) { return t.compute; }},
     {"overlapped", "communication, overlapped", kOverlappedColor, [](const GpuTime& t) { return t.overlapped; }},
     {"exposed", "communication, exposed", kExposedColor, [](const GpuTime& t) { return t.exposed; }},
     {"graph", "graphs", kGraphColor, [](const GpuTime& t) { return t.graph; }},
     {"memory", "copies and memsets", kMemoryColor, [](const GpuTime& t) { return t.memory; }}}};
constexpr std::string_view kBusyTitle = "busy";

// The time for which the device's process was recorded, on CPU and GPU. None for a part of a trace, and if captures were not
// checked.
std::optional<TimeRange> recording_of(const RunData& data, const Gpu& gpu) {
  if (!data.captures || data.gpu->scope) return {};
  const auto capture = std::ranges::find(*data.captures, gpu.group, &GpuCapture::group);
  if (capture == data.captures->end() || capture->recorded.empty()) return {};
  return capture->recorded;
}

// Whether any part of the stretch was recorded on the device.
bool was_recorded(const Gpu& gpu, const std::optional<TimeRange>& recording, TimeRange stretch) {
  if (recording && (stretch.end <= recording->begin || stretch.begin >= recording->end)) return false;
  return std::ranges::none_of(gpu.unrecorded, [&](TimeRange gap) { return gap.begin <= stretch.begin && stretch.end <= gap.end; });
}

constexpr double kNearlyAll = 99.5;  // percent of a recording; from this on, the share is not shown

// The share of the recording between the device's first work and its last. NaN: unknown.
double part_of_recording(const RunData& data, const Gpu& gpu) {
  const std::optional<TimeRange> recorded = recording_of(data, gpu);
  return recorded ? std::min(percent_of(gpu.span.length(), recorded->length()), 100.0) : std::nan("");
}

// "GPU 0 did from first work to last, 41.8 % of the recording".
std::string first_to_last(const RunData& data, const GpuActivity& activity) {
  const bool several = activity.gpus.size() > 1;
  const std::string text = (several ? devices_text(activity) : activity.gpus.front().name) + " did from first work to last";
  const double percent = several ? std::nan("") : part_of_recording(data, activity.gpus.front());
  return percent < kNearlyAll ? fmt::format("{}, {} of the recording", text, percent_text(percent)) : text;
}

Chart time_chart(const RunData& data, const GpuActivity& activity) {
  Chart chart;
  chart.id = "gpu_time";
  chart.title = "What " + first_to_last(data, activity);
  chart.facts = communication_facts(activity);
  const bool graphs = graph_time(activity) > 0;
  chart.note = fmt::format("{}{}", kTimeNote, graphs ? kGraphsNote : "");
  chart.x.title = "share of the time (%)";
  chart.x.unit = ChartUnit::Percent;
  chart.x.least = 0;
  chart.x.most = 100;
  std::vector<std::string> rows;
  std::vector<ChartTarget> targets;
  for (const Gpu& gpu : activity.gpus) {
    rows.push_back(gpu.name);
    targets.push_back(stretch_target(chart, gpu.span));
  }
  std::vector<PartOfBar> parts;
  for (const GpuPart& part : kParts) {
    if (part.color == kGraphColor && !graphs) continue;
    parts.push_back({std::string(part.title), part.color, false, [&activity, &part](std::size_t g) {
                       return percent_of(part.of(activity.gpus[g].time), activity.gpus[g].recorded());
                     }});
  }
  parts.push_back({"idle", kIdleColor, true, [&activity](std::size_t g) {
                     return percent_of(activity.gpus[g].idle(), activity.gpus[g].recorded());
                   }});
  add_bars(
      chart, rows, parts, [](double value) { return percent_text(value); }, targets);

  ChartTable& table = chart.table.emplace();
  const bool known = activity.communicates;
  const auto of_communication = [known](Ns ns) { return known ? duration_cell(ns) : ChartCell("-"); };
  // The main figures come first, because a narrow window shows only the first columns.
  table.columns = {{device_noun(activity)},
                   {"busy %", true},
                   {"compute", true},
                   {"communication", true},
                   {"exposed", true},
                   {"idle", true},
                   {"overlapped", true},
                   {"copies", true},
                   {"busy", true},
                   {"from first to last", true}};
  // If a device was recorded several times, the time between the recordings is missing.
  const bool holes = std::ranges::any_of(activity.gpus, [](const Gpu& gpu) { return gpu.recorded() < gpu.span.length(); });
  if (holes) table.columns.push_back({"of it recorded", true});
  constexpr std::ptrdiff_t kGraphsColumn = 3;  // after "compute"
  if (graphs) table.columns.insert(table.columns.begin() + kGraphsColumn, {"graphs", true});
  constexpr std::ptrdiff_t kRecordingColumn = 2;  // after "busy %", which is a share of this part
  const bool parts_only = std::ranges::any_of(activity.gpus, [&](const Gpu& gpu) { return part_of_recording(data, gpu) < kNearlyAll; });
  if (parts_only) table.columns.insert(table.columns.begin() + kRecordingColumn, {"of recording %", true});
  for (const Gpu& gpu : activity.gpus) {
    const GpuTime& time = gpu.time;
    table.rows.push_back({gpu.name, number_cell(percent_of(time.busy(), gpu.recorded()), 1), duration_cell(time.computing()),
                          of_communication(time.communication()), of_communication(time.exposed), duration_cell(gpu.idle()),
                          of_communication(time.overlapped), duration_cell(time.memory), duration_cell(time.busy()),
                          duration_cell(gpu.span.length())});
    if (holes) table.rows.back().push_back(duration_cell(gpu.recorded()));
    std::vector<ChartCell>& row = table.rows.back();
    if (graphs) row.insert(row.begin() + kGraphsColumn, duration_cell(time.graphs()));
    if (parts_only) row.insert(row.begin() + kRecordingColumn, number_cell(part_of_recording(data, gpu), 1));
  }
  table.targets = std::move(targets);
  return chart;
}

Chart use_chart(const RunData& data, const GpuActivity& activity, const Gpu& gpu) {
  Chart chart;
  chart.id = "gpu_use";
  chart.title = fmt::format("{} over time, in steps of {}", gpu.name, format_duration(activity.bin));
  chart.note = kUseNote;
  TimeRange shown{activity.first_bin, activity.bin_range(activity.bins() - 1).end};
  const std::optional<TimeRange> recorded = recording_of(data, gpu);
  if (recorded) shown.include(recorded->begin, recorded->end);
  chart.x = timeline_axis(shown);
  chart.time = ChartTime();
  chart.y.title = "of the time (%)";
  chart.y.unit = ChartUnit::Percent;
  chart.y.least = 0;
  chart.y.most = 100;
  std::vector<ChartTarget> targets;
  for (std::size_t b = 0; b < gpu.bins.size(); ++b) targets.push_back(stretch_target(chart, activity.bin_range(b)));
  for (const GpuPart& part : kParts) {
    if (part.of(gpu.time) == 0) continue;
    ChartSeries series;
    series.name = part.title;
    series.mark = ChartSeries::Mark::Bars;
    series.color = part.color;
    series.targets = targets;
    for (std::size_t b = 0; b < gpu.bins.size(); ++b) {
      const TimeRange bin = activity.bin_range(b);
      series.x.push_back(to_seconds(bin.begin + bin.length() / 2));
      series.y.push_back(was_recorded(gpu, recorded, bin) ? percent_of(part.of(gpu.bins[b]), bin.length()) : std::nan(""));
    }
    chart.series.push_back(std::move(series));
  }
  if (chart.series.empty()) chart.empty = "All work on this GPU has zero length";
  return chart;
}

// Null: the map shows busy time.
const GpuPart* measured_part(const ChartSettings& settings) {
  for (const GpuPart& part : kParts) {
    if (part.value == settings.text(kGpuMeasure)) return &part;
  }
  return nullptr;
}

Chart use_map(const RunData& data, const GpuActivity& activity, const GpuPart* part) {
  Chart chart;
  chart.id = "gpu_use";
  chart.title =
      fmt::format("{}s over time, in steps of {}: {}", device_noun(activity), format_duration(activity.bin),
                  part ? part->title : kBusyTitle);
  chart.note = kUseNote;
  chart.x.title = "time since the beginning";
  chart.x.timeline = true;
  const auto bin = static_cast<double>(activity.bin);
  chart.time = ChartTime{static_cast<double>(activity.first_bin) + bin / 2, bin, {}};
  chart.x.full_title = "time since the beginning (ns)";
  chart.y.title = device_noun(activity);
  ChartCells& cells = chart.cells.emplace();
  cells.name = fmt::format("{} (%)", part ? part->title : kBusyTitle);
  cells.shares = true;
  const Ns last = activity.bins() > 0 ? activity.bin_range(activity.bins() - 1).begin : 0;
  for (std::size_t b = 0; b < activity.bins(); ++b) {
    const Ns begin = activity.bin_range(b).begin;
    // Format 0 in the unit of the last label: "0 ms", even if bins are microseconds long.
    chart.x.categories.push_back(format_time(begin, begin == 0 ? std::max(last, activity.bin) : activity.bin));
    chart.x.full_categories.push_back(std::to_string(begin));
    chart.x.category_values.push_back(to_seconds(begin));
  }
  for (const Gpu& gpu : activity.gpus) {
    chart.y.categories.push_back(gpu.name);
    const std::optional<TimeRange> recording = recording_of(data, gpu);
    for (std::size_t b = 0; b < gpu.bins.size(); ++b) {
      const Ns time = part ? part->of(gpu.bins[b]) : gpu.bins[b].busy();
      const bool known = was_recorded(gpu, recording, activity.bin_range(b));
      cells.value.push_back(known ? percent_of(time, activity.bin) : std::nan(""));
      cells.targets.push_back(stretch_target(chart, activity.bin_range(b)));
    }
  }
  return chart;
}

// Null: a map of all GPUs is shown.
const Gpu* chosen_gpu(const GpuActivity& activity, const ChartSettings& settings) {
  if (activity.gpus.size() == 1) return &activity.gpus.front();
  const auto chosen = std::ranges::find(activity.gpus, settings.text(kGpuShown), &Gpu::name);
  return chosen == activity.gpus.end() ? nullptr : &*chosen;
}

}  // namespace

ChartControl communication_control(const ChartSettings& settings) {
  return text_control(settings, std::string(kCommunicationRules), "also communication",
                      "More kernels that are communication, by a part of their names or a pattern with *. Separate "
                      "several with | or a comma; -pattern removes kernels");
}

std::shared_ptr<const GpuActivity> gpu_activity(const RunData& data, const ChartSettings& settings) {
  CommunicationRules rules(settings.text(kCommunicationRules));
  if (!data.gpu || rules == data.gpu->rules) return data.gpu;
  ThreadPool pool = background_pool();
  auto all = make_gpu_activity(data.gpu->trace, pool, std::move(rules));
  return data.gpu->scope ? activity_within(all, *data.gpu->scope, pool) : all;
}

std::vector<Chart> gpu_charts(const RunData& data, const ChartQuestion& question) {
  const auto counted = gpu_activity(data, question.settings);
  const GpuActivity& activity = *counted;
  const Gpu* const one = chosen_gpu(activity, question.settings);
  std::vector<Chart> charts;
  charts.push_back(time_chart(data, activity));
  if (data.captures) {
    for (std::string& sentence : capture_sentences(*data.gpu, *data.captures)) {
      charts.back().facts.insert(charts.back().facts.begin(), {"capture", std::move(sentence)});
    }
  }
  charts.push_back(one ? use_chart(data, activity, *one) : use_map(data, activity, measured_part(question.settings)));
  return charts;
}

std::vector<ChartControl> gpu_controls(const RunData& data, const ChartSettings& settings) {
  if (data.gpu->gpus.size() == 1) return {communication_control(settings)};
  std::vector<ChartControl::Choice> gpus = {{"", fmt::format("all {}s", device_noun(*data.gpu))}},
                                    measures = {{"", std::string(kBusyTitle)}};
  for (const Gpu& gpu : data.gpu->gpus) gpus.push_back({gpu.name, gpu.name});
  for (const GpuPart& part : kParts) measures.push_back({std::string(part.value), std::string(part.title)});
  std::vector<ChartControl> controls = {choice_control(settings, std::string(kGpuShown), "over time",
                                                       "One GPU with all it does, or a map of all", std::move(gpus))};
  if (!chosen_gpu(*data.gpu, settings)) {
    controls.push_back(
        choice_control(settings, std::string(kGpuMeasure), "shown", "What the map shows", std::move(measures)));
  }
  controls.push_back(communication_control(settings));
  return controls;
}

}  // namespace tv
