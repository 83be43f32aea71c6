// Finds the rollout of each step of a training log. The step numbers of log and rollouts are no evidence: verl counts validations
// among its rollouts, a restart begins again at 1, and a log prints repeated steps again. Both lists are in time order, so the
// alignment must be monotone:
//
//   log        1   2       3   4        | restarted at step 3     3   4
//   rollouts v 1   2   v   3   4  5(cut)  v                       3   4   5(printed nowhere)
//
// An alignment is cheap if timing_s/gen minus the rollout's duration is nearly the same for all steps, if steps follow each other
// without idle time, and if few steps and rollouts are left out. Steps cannot overlap, and after gen a step has no rollouts
// except those of its `testing`. Alignments that violate this are excluded, and so are those that contradict a known time, such
// as that of a trace of the step.
//
// A place is a pair of a step and a rollout. Shortest paths, forward and back, give each place a cost, and each step a best and a
// second best place. The best place is accepted if the second best costs clearly more, and if the consecutive steps around it fit
// better than by chance: steps that are all alike, or a single step, are no evidence. Units: seconds; costs in nats. Cost:
// O(steps x rollouts) time and memory for each possible zone; above four million places nothing is aligned.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/clock_time.h"

namespace tv {

struct LoggedStep {
  std::int64_t number = 0;
  double duration = 0, lead = 0, gen = 0;  ///< `lead`: from the begin of the step to the begin of gen
  double testing = 0;                      ///< duration of the validation at the end of the step
};

struct RolloutSpan {
  std::int64_t step = 0;  ///< from the name of the folder
  RecordedRange extent;
};

/// A step that begins between `earliest` and `latest` according to another file.
struct KnownPlace {
  std::size_t logged = 0;  ///< index of the step
  RecordedTime earliest, latest;
  std::string name;  ///< names that file
};

struct AlignedStep {
  std::size_t logged = 0, rollout = 0;  ///< indices of the step and its rollout
  double margin = 0;                    ///< extra cost of the second best place
  std::int64_t second_best = -1;        ///< the rollout of that place; -1: there is none
  double longer = 0;                    ///< duration of gen minus that of the rollout
};

struct StepAlignment {
  std::vector<AlignedStep> steps;                        ///< the accepted places, in the order of steps
  std::optional<Ns> east;                                ///< time zone of the rollouts' clock, if known places show it
  double evidence = 0;                                   ///< the least evidence of an accepted sequence of steps
  double margin = 0;                                     ///< the least margin of an accepted step
  double longer = 0, longer_least = 0, longer_most = 0;  ///< AlignedStep::longer: median, least and greatest
  std::string why_not;                                   ///< why there are no steps
};

/// The least evidence for a sequence of steps, and the least margin of a step. Next to a clear step, half the margin suffices.
inline constexpr double kAlignmentEvidence = 5, kAlignmentMargin = 5;

/// `rollouts`: sorted by begin. `local`: their clock may differ from that of the known places by whole quarters of an hour.
StepAlignment align_steps(const std::vector<LoggedStep>& steps, const std::vector<RolloutSpan>& rollouts,
                          const std::vector<KnownPlace>& known, bool local);

}  // namespace tv
