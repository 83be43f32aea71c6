// The consecutive phases of a step's workers, and the worker that the others waited for. The barrier makes the totals of all
// workers equal, so the slowest worker is the one that generated longest. The others waited for the worker that reached the
// barrier last, which has the shortest wait. These two workers may differ if the times before generating differ. Each event has
// two durations: the `sum` of all its lines, and that of its `last` line, which verl's script shows. Unit: seconds.
// Cost: O(phases of the step). Source: verl's scripts, script per_step_all_workers.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/analysis/rollout/rollout.h"
#include "core/analysis/statistics/summary.h"

namespace tv {

inline constexpr std::string_view kTotal = "total_step_duration";
inline constexpr std::string_view kGenerate = "async_generate_duration";
inline constexpr std::string_view kBarrierWait = "barrier_wait_duration";
inline constexpr std::string_view kPreprocessing = "preprocessing_duration";

/// A worker's events in the order of a step, the total last.
inline constexpr std::array<std::string_view, 12> kWorkerEvents = {
    kPreprocessing, kGenerate, "sorting_duration", kBarrierWait, "broadcast_duration", "data_extraction_duration",
    "padding_duration", "concatenation_duration", "batch_construction_duration", "cache_flush_duration",
    "final_construction_duration", kTotal};

struct EventSeconds {
  std::string_view event;  ///< points into the log's texts or kWorkerEvents
  double last = 0, sum = 0;
  std::uint32_t count = 0;
};

/// The events that occur: first those of kWorkerEvents, in that order, then others whose name contains "duration", in order of
/// first occurrence.
std::vector<EventSeconds> event_seconds(const RolloutLog& log, std::span<const std::uint32_t> phases);
/// Null if the event does not occur.
const EventSeconds* find_event(std::span<const EventSeconds> events, std::string_view event);

struct WorkerPhases {
  std::uint32_t worker_step = 0;  ///< index into Rollout::worker_steps
  std::uint32_t worker = 0;       ///< index into Rollout::workers
  std::vector<EventSeconds> events;

  double generate = kNotMeasured, wait = kNotMeasured, total = kNotMeasured;  ///< sums; NaN: no such line
  double unaccounted = kNotMeasured;  ///< total minus all other events of kWorkerEvents
  std::uint32_t longest = 0, shortest = 0;  ///< indices into events, compared by `last` as in the script
};

struct StepPhases {
  std::vector<WorkerPhases> workers;     ///< in the order of Rollout::worker_steps
  std::optional<std::size_t> slowest;    ///< index into workers: longest generate, else shortest wait
  std::optional<std::size_t> last;       ///< index into workers: shortest wait, or the slowest if a wait is not logged
  double waited = 0;                     ///< sum of all workers' waits
  std::uint32_t waiting = 0;             ///< number of workers that waited longer than `last`
};

StepPhases worker_phases(const Rollout& rollout, std::uint32_t step);

}  // namespace tv
