#include "app/verbs/gpu_json.h"

#include <algorithm>

#include "app/terminal/json_value.h"
#include "app/verbs/statistics_json.h"
#include "core/analysis/collectives/collective_waits.h"
#include "core/analysis/collectives/collectives.h"
#include "core/analysis/gpu/api_waits.h"
#include "core/analysis/gpu/gpu_gaps.h"
#include "core/analysis/gpu/gpu_launches.h"
#include "core/view/charts/gpu/charts_gpu.h"

namespace tv {
namespace {

using Json = nlohmann::ordered_json;

Json name_of(const Trace& trace, SliceId slice) {
  return slice == kNone<SliceId> ? Json(nullptr) : json_value(trace.name_of(slice));
}

std::string lane_path(const Trace& trace, LaneId lane) {
  std::string joined;
  for (const std::string& part : trace.path_of(lane)) joined += (joined.empty() ? "" : " / ") + part;
  return joined;
}

// All fields cover only the `matched` collectives: those whose kernels on other ranks were found.
void add_waits(Json& row, const WaitSum& sum) {
  row["matched"] = sum.matched;
  row["waiting_ns"] = sum.waiting;
  row["transfer_ns"] = sum.transfer;
  row["longest_wait_ns"] = sum.longest;
  row["last_in"] = sum.last;
  row["last_not_told"] = sum.last_uncertain;
  row["others_waited_ns"] = sum.others_waited;
}

}  // namespace

// Describes the whole trace, even if only a part was requested.
Json capture_json(const RunData& data, LaneId group) {
  if (!data.captures) return nullptr;
  const auto found = std::ranges::find(*data.captures, group, &GpuCapture::group);
  if (found == data.captures->end()) return nullptr;
  const bool held = found->holder != kNone<SliceId>;
  return {{"whole", found->is_whole()},
          {"launches", found->launches},
          {"launches_without_work", found->without_work()},
          {"before_first", found->before_first},
          {"after_last", found->after_last},
          {"kernels_held_by_others", found->held},
          {"holder", held ? json_value(data.trace->name_of(found->holder)) : Json(nullptr)},
          {"begins_late_ns", found->begins_late},
          {"ends_early_ns", found->ends_early}};
}

Json gpus_json(const GpuActivity& activity, const RunData& data) {
  const auto if_communicates = [&](Ns ns) { return activity.communicates ? Json(ns) : Json(nullptr); };
  const std::vector<CommunicationMatch> matches = communication_matches(activity);
  Json out = Json::array();
  for (std::size_t g = 0; g < activity.gpus.size(); ++g) {
    const Gpu& gpu = activity.gpus[g];
    Json by_rule = Json::array();
    for (const CommunicationMatch& match : matches) {
      if (match.gpu != g) continue;
      by_rule.push_back({{"family", json_value(match.rule.family)},
                         {"pattern", json_value(match.rule.pattern)},
                         {"counts_as", match.counts ? "communication" : "computing"},
                         {"count", match.count},
                         {"total_ns", match.total}});
    }
    out.push_back({{"gpu", json_value(gpu.name)},
                   {"slices", gpu.slices},
                   {"begin_ns", gpu.span.begin},
                   {"end_ns", gpu.span.end},
                   {"recorded_ns", gpu.recorded()},
                   {"busy_ns", gpu.time.busy()},
                   {"compute_ns", gpu.time.computing()},
                   {"communication_ns", if_communicates(gpu.time.communication())},
                   {"overlapped_ns", if_communicates(gpu.time.overlapped)},
                   {"exposed_ns", if_communicates(gpu.time.exposed)},
                   {"graph_ns", gpu.time.graphs()},
                   {"memory_alone_ns", gpu.time.memory},
                   {"idle_ns", gpu.idle()},
                   {"communication_by_rule", std::move(by_rule)},
                   {"capture", capture_json(data, gpu.group)}});
  }
  return out;
}

Json gaps_json(const GpuActivity& activity, const ChartSettings& settings, ThreadPool& pool) {
  const Trace& trace = *activity.trace;
  Json out = Json::array();
  for (const GpuGap& gap : find_gaps(activity, least_gap(settings), pool).gaps) {
    out.push_back({{"gpu", json_value(activity.gpus[gap.gpu].name)},
                   {"begin_ns", gap.time.begin},
                   {"length_ns", gap.time.length()},
                   {"cause", name(gap.cause)},
                   {"before", name_of(trace, gap.before)},
                   {"after", name_of(trace, gap.after)},
                   {"launch", name_of(trace, gap.launch)},
                   {"sync", name_of(trace, gap.sync)},
                   {"of_cpu_ns", gap.of_cpu},
                   {"cpu_was_in", name_of(trace, gap.doing)},
                   {"cpu_was_in_ns", gap.doing_time}});
  }
  return out;
}

Json nccl_json(const GpuActivity& activity, const CollectiveWaits& waits, ThreadPool& pool) {
  if (!activity.communicates) return nullptr;
  Json out = Json::array();
  const std::vector<KernelWaits> known = kernel_waits(activity, waits);
  for (const CollectiveSum& sum : collectives(activity, pool)) {
    const auto own = std::ranges::find_if(
        known, [&](const KernelWaits& kernel) { return kernel.label == sum.label && kernel.gpu == sum.gpu; });
    const std::string_view name = activity.trace->labels.name(sum.label);
    const auto rule = activity.rules.communication(name);
    Json row = {{"name", json_value(name)},
                {"family", rule ? json_value(rule->family) : Json(nullptr)},
                {"gpu", json_value(activity.gpus[sum.gpu].name)},
                {"count", sum.count},
                {"total_ns", sum.total},
                {"overlapped_ns", sum.overlapped},
                {"exposed_ns", sum.exposed()},
                {"min_ns", sum.min},
                {"max_ns", sum.max}};
    add_waits(row, own == known.end() ? WaitSum() : own->sum);
    out.push_back(std::move(row));
  }
  return out;
}

Json stragglers_json(const GpuActivity& activity, const CollectiveWaits& waits, ThreadPool& pool) {
  std::vector<std::pair<std::uint64_t, Ns>> all(activity.gpus.size());  // number of kernels, and their time
  for (const CollectiveSum& sum : collectives(activity, pool)) {
    all[sum.gpu].first += sum.count;
    all[sum.gpu].second += sum.total;
  }
  const std::vector<WaitSum> sums = wait_sums(activity, waits);
  Json gpus = Json::array();
  for (std::size_t g = 0; g < sums.size(); ++g) {
    const CommGpu* const known = comm_gpu(waits, activity.gpus[g]);
    const CommGpu clock = known ? *known : CommGpu();
    Json row = {{"gpu", json_value(activity.gpus[g].name)},
                {"clock", name(clock.clock)},
                {"clock_within_ns", clock.clock == CommClock::Collectives ? Json(clock.uncertainty) : Json(nullptr)},
                {"count", all[g].first},
                {"total_ns", all[g].second}};
    add_waits(row, sums[g]);
    gpus.push_back(std::move(row));
  }
  Json longest = Json::array();
  for (const CountedWait& wait : longest_waits(activity, waits, kLongestWaits)) {
    const MatchedCollective& collective = *wait.collective;
    const SliceId slice = wait.longest->slice;
    const bool is_certain = collective.last_is_certain;
    longest.push_back({{"name", name_of(*activity.trace, slice)},
                       {"begin_ns", activity.trace->begin_of(slice)},
                       {"ranks", collective.count},
                       {"waited_longest", json_value(waits.name_of(*wait.longest))},
                       {"waited_ns", wait.waited},
                       {"last", is_certain ? json_value(waits.name_of(waits.last(collective))) : Json(nullptr)},
                       {"others_waited_ns", wait.all_waited}});
  }
  return {{"gpus", std::move(gpus)}, {"collectives", waits.collectives.size()}, {"longest", std::move(longest)}};
}

Json waits_json(const GpuActivity& activity) {
  const Trace& trace = *activity.trace;
  Json out = Json::array();
  for (const ApiWait& wait : api_waits(activity).waits) {
    const LaneId lane = trace.row(trace.row_of(wait.call)).lane;
    out.push_back({{"call", name_of(trace, wait.call)},
                   {"thread", json_value(lane_path(trace, thread_group(trace, lane)))},
                   {"begin_ns", trace.begin_of(wait.call)},
                   {"length_ns", trace.duration_of(wait.call)},
                   {"waited_for", name_of(trace, wait.waited_for)},
                   {"after_ns", wait.after}});
  }
  return out;
}

Json launches_json(const GpuActivity& activity, ThreadPool& pool) {
  Json out = Json::array();
  const std::vector<GpuLaunches> all = launch_delays(activity, pool);
  for (std::size_t g = 0; g < all.size(); ++g) {
    Json gpu = {{"gpu", json_value(activity.gpus[g].name)},
                {"launched", all[g].delays.size()},
                {"before_return", all[g].before_return},
                {"without_launch", all[g].without_launch}};
    if (!all[g].delays.empty()) {
      gpu["p50_ns"] = delay_quantile(all[g], 0.5);
      gpu["p90_ns"] = delay_quantile(all[g], 0.9);
      gpu["p99_ns"] = delay_quantile(all[g], 0.99);
      gpu["max_ns"] = all[g].delays.back().delay;
    }
    out.push_back(std::move(gpu));
  }
  return out;
}

Json pace_json(const RunData& data, const ChartSettings& settings) {
  const PaceName* const chosen = chosen_pace(*data.paces, settings);
  if (!chosen) return nullptr;
  Json lines = Json::array();
  for (const PaceLine& line : pace(*data.gpu->trace, *chosen, data.gpu->within())) {
    Json turns = Json::array();
    for (const PaceTurn& turn : line.turns) {
      turns.push_back({{"number", turn.number},
                       {"begin_ns", turn.begin},
                       {"length_ns", turn.duration},
                       {"delta_ns", turn.delta ? Json(*turn.delta) : Json(nullptr)}});
    }
    lines.push_back({{"rank", json_value(line.name)}, {"turns", std::move(turns)}});
  }
  return {{"name", json_value(chosen->text())}, {"lines", std::move(lines)}};
}

Json gpu_json(const RunData& data, const ChartSettings& settings, ThreadPool& pool) {
  const auto with_settings = gpu_activity(data, settings);
  const GpuActivity& activity = *with_settings;
  Json out = {{"gpus", gpus_json(activity, data)}, {"gaps", gaps_json(activity, settings, pool)}};
  for (std::size_t k = 0; k < kWorkKinds; ++k) {
    const auto kind = static_cast<WorkKind>(k);
    const StatsQuery query = query_of(*activity.trace, kind);
    const RangeStats stats = range_stats(*activity.trace, query, pool);
    out[std::string(name(kind))] = label_stats_json(*activity.trace, stats, stats.labels.size());
  }
  out["nccl"] = nccl_json(activity, *data.waits, pool);
  out["stragglers"] = stragglers_json(activity, *data.waits, pool);
  out["waits"] = waits_json(activity);
  out["launches"] = launches_json(activity, pool);
  out["pace"] = pace_json(data, settings);
  return out;
}

}  // namespace tv
