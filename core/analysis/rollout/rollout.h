// A rollout in the form that charts need: the complete requests with a valid duration, in columns, ordered by step, worker and
// file. A request's time is split into exclusive phases, which add up to its length. Built once per snapshot; all charts are pure
// functions of the rollout. Cost: half a second of CPU time per million requests and five million slices, and 120 bytes per
// request. Requests shared with an earlier rollout are not analysed again (known_requests.h); at most their slice ids are updated.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/ids.h"
#include "core/base/memory/append_list.h"
#include "core/base/threads/thread_pool.h"
#include "core/base/time.h"
#include "core/store/trace/trace.h"

namespace tv {

/// What a request is doing. Every nanosecond of a request belongs to exactly one phase.
enum class RequestPhase : std::uint8_t {
  Engine,      ///< generating: turn_engine_call and its parts
  Tool,        ///< tool calls and interactions, and their parts
  Reward,
  Processing,  ///< before and after the engine within a turn, parsing, finalization
  Pending,     ///< setup of tools and interactions before the first turn
  Other,       ///< no event: between turns, before and after the main loop
  kCount,
};
inline constexpr std::size_t kRequestPhases = static_cast<std::size_t>(RequestPhase::kCount);
std::string_view name(RequestPhase phase);

using RequestIx = std::uint32_t;  ///< position in Rollout's columns

struct RolloutStep {
  std::int32_t run = 0;   ///< index into Rollout::runs
  std::int32_t step = 0;  ///< as in the files
  RequestIx first = 0, end = 0;  ///< its requests
  TimeRange extent;              ///< from the first begin to the last end in its files; relative to the trace's origin
  RequestIx last = 0;            ///< the request that ended last (of several, the first); `first` if there are no requests
};

/// One worker's work in a step: the part of a file that one run wrote.
struct WorkerStep {
  std::uint32_t step = 0;    ///< index into Rollout::steps
  std::uint32_t worker = 0;  ///< index into Rollout::workers
  std::uint32_t file = 0;    ///< index into RolloutLog::files
  RequestIx first = 0, end = 0;            ///< its requests
  std::vector<std::uint32_t> phases;       ///< indices into RolloutLog::phases, in file order
  std::int32_t run = 0;                    ///< the run within the file, from 0
};

struct Rollout {
  std::shared_ptr<const Trace> trace;
  std::vector<std::string> runs;           ///< folder names; a second run in the same files is "rl_run (run 2)"
  std::vector<RolloutStep> steps;          ///< by run, step
  std::vector<std::int32_t> workers;       ///< sorted
  std::vector<WorkerStep> worker_steps;    ///< by step, worker, file
  std::vector<std::uint32_t> in_flight;    ///< rows of RolloutLog::requests that never completed
  std::vector<RequestIx> first_of_finish;  ///< the first request with each finish reason; sorted

  // One entry per complete request with a valid duration.
  AppendList<std::uint32_t> row;           ///< in RolloutLog::requests
  AppendList<std::uint32_t> step, worker;  ///< indices into steps and workers
  AppendList<double> seconds;              ///< as in the log
  AppendList<Ns> begin, end;               ///< relative to the trace's origin
  AppendList<std::int32_t> turns;          ///< -1: not logged
  AppendList<std::int32_t> tokens;         ///< tokens of the model, else the response length; -1: neither is logged
  AppendList<SliceId> slice;               ///< its async_rollout_request_complete in the timeline; kNone if there is none
  std::array<AppendList<Ns>, kRequestPhases> exclusive;

  std::size_t size() const { return row.size(); }
  const RolloutLog& log() const { return trace->rollout; }
  const RolloutRequest& request(RequestIx r) const { return log().requests[row[r]]; }
  std::string_view id(RequestIx r) const { return request(r).id; }
  Ns phase(RequestIx r, RequestPhase p) const { return exclusive[static_cast<std::size_t>(p)][r]; }
  double phase_seconds(RequestIx r, RequestPhase p) const { return static_cast<double>(phase(r, p)) * 1e-9; }
  std::span<const RolloutTurn> turns_of(RequestIx r) const;
  /// "step 3", with several runs "rl_run (run 2), step 3".
  std::string step_name(std::uint32_t s) const;
  std::optional<RequestIx> of_slice(SliceId any) const;  ///< the request that contains the slice; none for instants

  AppendList<std::pair<SliceId, RequestIx>> by_slice;  ///< sorted
};

/// The rollout has no steps if the trace has no rollout logs. Requests at the beginning of both logs are shared with `earlier`.
std::shared_ptr<const Rollout> make_rollout(std::shared_ptr<const Trace> trace, ThreadPool& pool, const Rollout* earlier = nullptr);

/// The requests that charts look at: a sorted list of RequestIx.
using RequestSet = std::vector<RequestIx>;
RequestSet all_requests(const Rollout& rollout);

}  // namespace tv
