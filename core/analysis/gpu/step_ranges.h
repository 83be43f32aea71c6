// The steps of all open files, from all sources that number steps: a rollout's folders, lines of a console log, steps of a Paddle
// pipeline, ranges that a program marks (ProfilerStep#6, "iteration 12", Steps of JAX). They tell the time range of "step 6" to
// `stats --step`, to the command that goes to the next step, and to the strip above the timeline.
//
//   source                       first  number  range, on the trace's clock
//   rollout   rl_run                 3       3  from the first begin to the last end in its files
//   training  run.log             1601    1700  a line that sums up a hundred iterations is one
//   pipeline  run                    0       0  over all devices
//   marked    rank 1                 6       6  on the CPU: work that the step launches may end later
//
// Invariant: a source is the list of steps of one log, run or rank, in the order of time; no list is empty. A table in
// iteration_rules.h says which names are steps. Names without a number are counted from 0 in their lane. So are an inference
// engine's steps, whose names describe their contents (step[DECODE bs=32], execute_context_1(512)_generation_63(63)).
// Cost: O(labels + steps), and reads every slice's label once if one of them names a step.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/rollout/rollout.h"
#include "core/base/result.h"
#include "core/store/trace/trace.h"

namespace tv {

enum class StepsOf : std::uint8_t { Rollout, Training, Pipeline, Marked };
std::string_view name(StepsOf kind);  ///< "rollout"

struct StepRange {
  std::int64_t first = 0, number = 0;  ///< equal, unless a line of a log sums up several steps
  TimeRange range;
  std::string name;  ///< "step 3", "1601..1700 (100 iterations)", "ProfilerStep#6"
};

struct StepSource {
  StepsOf kind = StepsOf::Rollout;
  std::string of;                 ///< the name of the run, log or process: "rl_run"
  std::string unit;               ///< "step", "iteration", "ProfilerStep#": what its numbers count
  std::vector<StepRange> steps;
  LaneId process = kNone<LaneId>;  ///< for marked steps: the outermost group around them
  std::string recording = {};      ///< which recording of the ranks it is from, if there are several (tell_recordings.h)

  /// Whether both can belong to one run. Recordings of a rank before and after a change cannot.
  bool may_be_with(const StepSource& other) const {
    return recording.empty() || other.recording.empty() || recording == other.recording;
  }
};

/// Whether any label names a step: O(labels).
bool may_have_steps(const Trace& trace);

/// Sorted by kind, then in the order of runs, files and lanes. `rollout`: that of the same trace; null if there is none.
std::vector<StepSource> steps_of(const Trace& trace, const Rollout* rollout);

struct FoundStep {
  TimeRange range;
  std::string text;  ///< "step 3 of rl_run (rollout)", "ProfilerStep#6 of 8 processes"
};
/// The step with this number ("6") or name ("ProfilerStep#6"). If sources of several kinds have it, the first kind counts. Steps
/// of the same kind and unit that overlap it in time are merged with it, because they are from ranks of one run. Steps of rollouts
/// are not merged.
Result<FoundStep> find_step(std::span<const StepSource> sources, std::string_view wanted);

}  // namespace tv
