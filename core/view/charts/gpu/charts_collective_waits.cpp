// Who waited for whom in collectives.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/analysis/collectives/collective_waits.h"
#include "core/analysis/collectives/collectives.h"
#include "core/view/chart/chart_cell.h"
#include "core/view/charts/gpu/charts_gpu.h"
#include "core/view/charts/gpu/gpu_chart_parts.h"
#include "core/view/words/number_words.h"

namespace tv {
namespace {

constexpr int kTransferColor = 3, kNoPartnerColor = 6;

constexpr const char* kWaitTitle = "Communication by GPU: transfer, or waiting for the last rank";
constexpr std::string_view kCollectiveWaitNote =
    "The kernels of one collective end together on all ranks, and each begins when its rank arrives. Until the last one "
    "begins, a kernel waits; the rest is transfer. \"without partner\": the kernels of other ranks in the same collective "
    "were not found. \"last in\": how often this rank came last, later than the second to last by more than the uncertainty of "
    "the clocks. \"clocks within\": nine in ten of its kernels end within this time of the others of their collective. Times "
    "are sums over kernels. Waiting for a rank that was not recorded counts as transfer.";
constexpr std::string_view kLongestNote =
    "The collectives in which a rank waited longest for the last rank. Waits are clipped to the area, if there is one. An "
    "arrow leads from each kernel to that of the last rank.";

ChartCell clock_cell(const CommGpu& gpu) {
  switch (gpu.clock) {
    case CommClock::None:
      return "-";
    case CommClock::Alone:
      return "no other GPU";
    case CommClock::Unknown:
      return "uncertain";
    case CommClock::One:
      return "one clock";
    case CommClock::Collectives:
      return format_duration(gpu.uncertainty);
  }
  return "";
}

bool is_compared(const CommGpu& gpu) { return gpu.clock == CommClock::One || gpu.clock == CommClock::Collectives; }

// Says why nothing can be shown; empty if something can. `counted` also includes the kernels that only the user's own patterns
// recognise; `waits` does not.
std::string why_no_waits(const CollectiveWaits& waits, const GpuActivity& counted) {
  const auto communicating = std::ranges::count_if(waits.gpus, [](const CommGpu& g) { return g.clock != CommClock::None; });
  if (communicating < 2 && std::ranges::count_if(counted.gpus, [](const Gpu& g) { return g.time.communication() > 0; }) > 1) {
    return "Communication includes waiting for ranks that come later. How much is unknown: kernels that only your own pattern "
           "recognises are not compared between ranks";
  }
  if (communicating < 2) {
    return "Communication includes waiting for ranks that come later. Only one GPU with communication was recorded: open the "
           "traces of all ranks together to see how much of it is waiting";
  }
  if (std::ranges::none_of(waits.gpus, is_compared)) {
    return fmt::format("Communication includes waiting for ranks that come later. How much is unknown: nothing connects the "
                       "clocks of the {} GPUs, so they are too uncertain",
                       communicating);
  }
  if (waits.collectives.empty()) {
    return "Communication includes waiting for ranks that come later. How much is unknown: no kernels of different GPUs "
           "end together";
  }
  return {};
}

Chart wait_chart(const GpuActivity& activity, const CollectiveWaits& waits, const std::vector<CollectiveSum>& kernels) {
  struct Rank {
    std::uint32_t gpu = 0;
    std::uint64_t count = 0;
    Ns total = 0;
    WaitSum sum;
  };
  const std::vector<WaitSum> sums = wait_sums(activity, waits);
  std::vector<Rank> ranks(sums.size());
  for (std::uint32_t g = 0; g < ranks.size(); ++g) ranks[g] = {g, 0, 0, sums[g]};
  for (const CollectiveSum& kernel : kernels) {
    ranks[kernel.gpu].count += kernel.count;
    ranks[kernel.gpu].total += kernel.total;
  }
  std::erase_if(ranks, [](const Rank& rank) { return rank.count == 0; });
  Chart chart;
  chart.id = "collective_waits";
  chart.title = kWaitTitle;
  chart.note = kCollectiveWaitNote;
  chart.x.title = "communication (s)";
  chart.x.unit = ChartUnit::Seconds;
  ChartTable& table = chart.table.emplace();
  table.columns = {{"GPU"},          {"waiting", true},  {"others waited for it", true}, {"last in", true},
                   {"matched", true}, {"last %", true},   {"waiting %", true},            {"longest wait", true},
                   {"transfer", true}, {"without partner", true}, {"kernels", true}, {"clocks within"}};
  std::vector<std::string> rows;
  for (const Rank& rank : ranks) {
    const WaitSum& sum = rank.sum;
    const CommGpu& clock = *comm_gpu(waits, activity.gpus[rank.gpu]);
    const bool compared = is_compared(clock);
    const auto if_compared = [&](ChartCell cell) {
      return compared ? cell : ChartCell("-", std::numeric_limits<double>::quiet_NaN(), cell.unit);
    };
    rows.push_back(activity.gpus[rank.gpu].name);
    table.rows.push_back({rows.back(), if_compared(duration_cell(sum.waiting)), if_compared(duration_cell(sum.others_waited)),
                          if_compared(count_cell(sum.last)), count_cell(sum.matched),
                          if_compared(number_cell(percent_of(static_cast<Ns>(sum.last), static_cast<Ns>(sum.matched)), 1)),
                          if_compared(number_cell(percent_of(sum.waiting, rank.total), 1)), if_compared(duration_cell(sum.longest)),
                          if_compared(duration_cell(sum.transfer)), duration_cell(rank.total - sum.waiting - sum.transfer),
                          count_cell(rank.count), clock_cell(clock)});
  }
  const std::vector<PartOfBar> parts = {
      {"waiting", kIdleColor, true, [&](std::size_t r) { return to_seconds(ranks[r].sum.waiting); }},
      {"transfer", kTransferColor, false, [&](std::size_t r) { return to_seconds(ranks[r].sum.transfer); }},
      {"without partner", kNoPartnerColor, false,
       [&](std::size_t r) { return to_seconds(ranks[r].total - ranks[r].sum.waiting - ranks[r].sum.transfer); }}};
  add_bars(chart, rows, parts, [](double value) { return seconds_text(value); });
  return chart;
}

Chart longest_chart(const GpuActivity& activity, const CollectiveWaits& waits) {
  const Trace& trace = *activity.trace;
  Chart chart;
  chart.id = "longest_collective_waits";
  chart.title = "Longest waits for the last rank of a collective";
  chart.note = kLongestNote;
  ChartTable& table = chart.table.emplace();
  table.columns = {{"at", true}, {"waited", true}, {"who"}, {"for"}, {"ranks", true}, {"all waited", true}, {"kernel"}};
  for (const CountedWait& wait : longest_waits(activity, waits, kLongestWaits)) {
    const MatchedCollective& collective = *wait.collective;
    const SliceId slice = wait.longest->slice;
    table.rows.push_back({time_cell(trace.begin_of(slice)), duration_cell(wait.waited), waits.name_of(*wait.longest),
                          collective.last_is_certain ? waits.name_of(waits.last(collective)) : "unclear from the clocks",
                          count_cell(collective.count), duration_cell(wait.all_waited), slice_cell(trace, slice, 40)});
    table.targets.push_back(slice_target(chart, trace, slice));
  }
  return chart;
}

}  // namespace

std::vector<Chart> collective_wait_charts(const RunData& data, const GpuActivity& counted) {
  const GpuActivity& activity = *data.gpu;
  if (const std::string why = why_no_waits(*data.waits, counted); !why.empty()) {
    return {empty_chart("collective_waits", kWaitTitle, why)};
  }
  ThreadPool pool = background_pool();
  std::vector<Chart> charts;
  charts.push_back(wait_chart(activity, *data.waits, collectives(activity, pool)));
  charts.push_back(longest_chart(activity, *data.waits));
  return charts;
}

}  // namespace tv
