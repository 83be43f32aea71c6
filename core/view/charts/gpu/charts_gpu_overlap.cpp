// Charts that show how much of the communication is hidden behind computing: per device, and per kernel.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>

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
    "Rules decide by a kernel's name whether it is communication; the rules that matched are listed. Overlapped is the part "
    "during which a computing kernel runs on the same device. Exposed is the rest: the device transfers or waits for the last "
    "rank, and computes nothing. Copies hide nothing.";
constexpr std::string_view kCollectiveNote =
    "Each row sums up all calls of one kernel on all GPUs. A rank that arrives early at a collective waits in it. \"waiting\" "
    "is this time, if the kernel's partners on other ranks were found. Otherwise, the shortest calls come closest to the time "
    "of the transfer alone.";

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

// The sums of one kernel name over all GPUs.
struct CollectiveTotals {
  LabelId label;
  std::uint64_t count = 0;
  Ns total = 0, overlapped = 0, min = 0, max = 0;
  SliceId longest{};
  std::uint64_t matched = 0;  // calls whose partners on other ranks were found
  Ns waiting = 0;             // in these calls
};

// In `sums`, all sums of one name follow each other.
std::vector<CollectiveTotals> totals_by_name(const std::vector<CollectiveSum>& sums, const std::vector<KernelWaits>& waits) {
  std::vector<CollectiveTotals> names;
  for (const CollectiveSum& sum : sums) {
    if (names.empty() || names.back().label != sum.label) {
      constexpr Ns kNoMax = -1;  // less than any duration
      names.push_back({sum.label, 0, 0, 0, sum.min, kNoMax, sum.longest, 0, 0});
    }
    CollectiveTotals& name = names.back();
    name.count += sum.count;
    name.total += sum.total;
    name.overlapped += sum.overlapped;
    name.min = std::min(name.min, sum.min);
    if (sum.max > name.max) {
      name.max = sum.max;
      name.longest = sum.longest;
    }
  }
  std::map<LabelId, std::size_t> place_of;
  for (std::size_t n = 0; n < names.size(); ++n) place_of.emplace(names[n].label, n);
  for (const KernelWaits& kernel : waits) {
    const auto place = place_of.find(kernel.label);
    if (place == place_of.end()) continue;
    names[place->second].matched += kernel.sum.matched;
    names[place->second].waiting += kernel.sum.waiting;
  }
  return names;
}

Chart collective_chart(const Trace& trace, const std::vector<CollectiveTotals>& names) {
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
  for (const CollectiveTotals& name : names) kernels.emplace_back(trace.labels.name(name.label));
  rows = short_kernels(kernels, 40);
  const std::vector<std::string> cells = short_kernels(kernels);
  for (std::size_t n = 0; n < names.size(); ++n) {
    const CollectiveTotals& name = names[n];
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
  ThreadPool pool = background_pool();
  const std::vector<CollectiveTotals> names =
      totals_by_name(collectives(*activity, pool), kernel_waits(*activity, *data.waits));
  if (names.empty()) {
    std::string why = fmt::format("{}: no rule matches the name of any kernel; add one with communication=PATTERN",
                                  kNothingRecognised);
    why.front() = 'N';  // begins the sentence
    for (const ChartFact& fact : communication_facts(*activity)) {
      if (fact.name != "communication") why += fmt::format("; {}: {}", fact.name, fact.value.text);
    }
    return {empty_chart("nccl_overlap", "Communication", why)};
  }
  // Charts of waiting come first if waiting is known. The other charts alone mislead: the rank that all others wait for has the
  // least communication time.
  std::vector<Chart> charts, waits = collective_wait_charts(data, *activity);
  const bool waits_known = waits.front().empty.empty();
  if (waits_known) std::ranges::move(waits, std::back_inserter(charts));
  charts.push_back(overlap_chart(*activity));
  charts.push_back(collective_chart(*activity->trace, names));
  if (!waits_known) std::ranges::move(waits, std::back_inserter(charts));
  return charts;
}

}  // namespace tv
