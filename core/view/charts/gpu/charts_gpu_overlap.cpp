// How much of the communication is hidden behind computing.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "core/analysis/collectives/collective_waits.h"
#include "core/analysis/collectives/collectives.h"
#include "core/base/text/count_text.h"
#include "core/view/chart/chart_cell.h"
#include "core/view/charts/gpu/charts_gpu.h"
#include "core/view/charts/gpu/gpu_chart_parts.h"
#include "core/view/words/number_words.h"

namespace tv {
namespace {

constexpr std::string_view kOverlapNote =
    "Communication is what a rule says is communication, by the kernel's name; the rules that fitted are listed. Overlapped is "
    "the part during which a computing kernel runs on the same device, exposed the rest, in which the device transfers or "
    "waits for the last rank and does nothing else. Copies hide nothing.";
constexpr std::string_view kCollectiveNote =
    "Of each kernel, summed over all its calls and GPUs. A rank that comes early to a collective waits in it: "
    "\"waiting\" is "
    "that, where the kernel's partners on other ranks were found; else the shortest calls are the nearest to what the "
    "transfer takes.";

Chart overlap_chart(const GpuActivity& activity) {
  Chart chart;
  chart.id = "nccl_overlap";
  chart.title = fmt::format("Communication by {}: hidden behind computing, or not", device_noun(activity));
  chart.facts = communication_facts(activity);
  chart.note = kOverlapNote;
  chart.x.title = "communication (s)";
  chart.x.unit = ChartUnit::Seconds;
  std::vector<std::string> rows;
  ChartTable& table = chart.table.emplace();
  const std::string noun = device_noun(activity);
  table.columns = {{noun},
                   {"communication", true},
                   {"overlapped", true},
                   {"exposed", true},
                   {"exposed % of it", true},
                   {fmt::format("exposed % of the {}'s time", noun), true}};
  for (const Gpu& gpu : activity.gpus) {
    rows.push_back(gpu.name);
    table.rows.push_back({gpu.name, duration_cell(gpu.time.communication()), duration_cell(gpu.time.overlapped),
                          duration_cell(gpu.time.exposed),
                          number_cell(percent_of(gpu.time.exposed, gpu.time.communication()), 1),
                          number_cell(percent_of(gpu.time.exposed, gpu.recorded()), 1)});
  }
  const std::vector<PartOfBar> parts = {
      {"exposed", kExposedColor, false, [&](std::size_t g) { return to_seconds(activity.gpus[g].time.exposed); }},
      {"overlapped", kOverlappedColor, false,
       [&](std::size_t g) { return to_seconds(activity.gpus[g].time.overlapped); }}};
  add_bars(chart, rows, parts, [](double value) { return seconds_text(value); });
  return chart;
}

// The sums of one name over all GPUs, for comparison.
struct CollectiveName {
  LabelId label;
  std::uint64_t count = 0;
  Ns total = 0, overlapped = 0, min = 0, max = 0;
  SliceId longest{};
  std::uint64_t matched = 0;
  Ns waiting = 0;
};

std::vector<CollectiveName> by_name(const std::vector<CollectiveSum>& sums, const std::vector<KernelWaits>& waits) {
  std::vector<CollectiveName> names;
  for (const CollectiveSum& sum : sums) {
    if (names.empty() || names.back().label != sum.label) {
      names.push_back({sum.label, 0, 0, 0, sum.min, -1, sum.longest, 0, 0});
    }
    CollectiveName& name = names.back();
    name.count += sum.count;
    name.total += sum.total;
    name.overlapped += sum.overlapped;
    name.min = std::min(name.min, sum.min);
    if (sum.max > name.max) {
      name.max = sum.max;
      name.longest = sum.longest;
    }
  }
  for (CollectiveName& name : names) {
    for (const KernelWaits& own : waits) {
      if (own.label != name.label) continue;
      name.matched += own.sum.matched;
      name.waiting += own.sum.waiting;
    }
  }
  return names;
}

Chart collective_chart(const Trace& trace, const std::vector<CollectiveName>& names) {
  Chart chart;
  chart.id = "nccl_kernels";
  chart.title = "Communication by kernel, all GPUs";
  chart.note = kCollectiveNote;
  chart.x.title = "time (s)";
  chart.x.unit = ChartUnit::Seconds;
  std::vector<std::string> rows;
  ChartTable& table = chart.table.emplace();
  table.columns = {{"kernel"},          {"times", true}, {"total", true}, {"overlapped", true}, {"exposed", true},
                   {"exposed %", true}, {"mean", true},  {"min", true},   {"max", true},        {"waiting", true}};
  std::vector<std::string> kernels;
  for (const CollectiveName& name : names) kernels.emplace_back(trace.labels.name(name.label));
  rows = short_kernels(kernels, 40);
  const std::vector<std::string> cells = short_kernels(kernels);
  for (std::size_t n = 0; n < names.size(); ++n) {
    const CollectiveName& name = names[n];
    chart.y.full_categories.emplace_back(trace.labels.name(name.label));
    const Ns exposed = name.total - name.overlapped;
    table.rows.push_back({name_cell(cells[n], kernels[n]), count_cell(name.count),
                          duration_cell(name.total), duration_cell(name.overlapped), duration_cell(exposed),
                          number_cell(percent_of(exposed, name.total), 1),
                          ns_cell(static_cast<double>(name.total) / static_cast<double>(name.count)),
                          duration_cell(name.min), duration_cell(name.max),
                          name.matched > 0 ? duration_cell(name.waiting) : in_words("-", ns_cell(std::nan("")))});
    table.targets.push_back(name_target(chart, trace, name.longest));
  }
  const std::vector<PartOfBar> parts = {
      {"exposed", kExposedColor, false,
       [&](std::size_t n) { return to_seconds(names[n].total - names[n].overlapped); }},
      {"overlapped", kOverlappedColor, false, [&](std::size_t n) { return to_seconds(names[n].overlapped); }}};
  add_bars(
      chart, rows, parts, [](double value) { return seconds_text(value); }, table.targets);
  return chart;
}

}  // namespace

std::vector<ChartControl> gpu_overlap_controls(const RunData&, const ChartSettings& settings) {
  return {communication_control(settings)};
}

std::vector<Chart> gpu_overlap_charts(const RunData& data, const ChartQuestion& question) {
  const auto activity = gpu_activity(data, question.settings);
  ThreadPool own = background_pool();
  const std::vector<CollectiveName> names =
      by_name(collectives(*activity, own), kernel_waits(*activity, *data.waits));
  if (names.empty()) {
    std::string why = fmt::format("{}: no rule fits the name of any kernel; more can be added (communication=PATTERN)",
                                  kNothingRecognised);
    why.front() = 'N';
    for (const ChartFact& fact : communication_facts(*activity)) {
      if (fact.name != "communication") why += fmt::format("; {}: {}", fact.name, fact.value.text);
    }
    return {empty_chart("nccl_overlap", "Communication", why)};
  }
  // Show waiting first, because the rank that all others wait for has the least communication time.
  std::vector<Chart> charts, waits = collective_wait_charts(data);
  const bool told = waits.front().empty.empty();
  if (told) std::ranges::move(waits, std::back_inserter(charts));
  charts.push_back(overlap_chart(*activity));
  charts.push_back(collective_chart(*activity->trace, names));
  if (!told) std::ranges::move(waits, std::back_inserter(charts));
  return charts;
}

}  // namespace tv
