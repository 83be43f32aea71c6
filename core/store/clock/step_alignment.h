// Finds the rollout of each step of a training log. Step numbers are ambiguous: verl counts validations among its rollouts, a
// restart begins again at 1, and a log prints repeated steps again. Both lists are sorted by time, so we look for a monotone
// alignment:
//
//   log        1   2       3   4        | restarted at step 3     3   4
//   rollouts v 1   2   v   3   4  5(cut)  v                       3   4   5(printed nowhere)
//
// An alignment is cheap if timing_s/gen minus the rollout's duration is nearly the same for all steps, if steps follow each other
// without idle time, and if few steps and rollouts are left out. Steps never overlap, and after gen a step has no rollouts except
// those of its `testing`. Alignments that violate this or contradict a known time, such as that of a trace of the step, are
// excluded.
//
// Shortest paths, forward and back, give each place (a rollout for a step) a cost; each step keeps its best and second best.
// A place is accepted if the second best costs clearly more, and if the consecutive steps around it fit better than by chance:
// steps that are all alike, or a single step, are no evidence. Units: seconds, costs in nats. Cost: O(steps x rollouts) time and
// memory, for each possible zone.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/time.h"

namespace tv {

struct LoggedStep {
  std::int64_t number = 0;
  double duration = 0, lead = 0, gen = 0;  ///< `lead`: from its begin to gen
  double testing = 0;                      ///< validation at its end
};

struct RolloutSpan {
  std::int64_t step = 0;  ///< from its folder's name
  TimeRange extent;
};

/// A step that begins between `earliest` and `latest` according to another file.
struct KnownPlace {
  std::size_t logged = 0;
  Ns earliest = 0, latest = 0;
  std::string name;  ///< the name of that file
};

struct AlignedStep {
  std::size_t logged = 0, rollout = 0;
  double margin = 0;        ///< extra cost of the second best place
  std::int64_t other = -1;  ///< second best place: index of a rollout; -1: none
  double longer = 0;        ///< gen minus its rollout
};

struct StepAlignment {
  std::vector<AlignedStep> steps;                        ///< the accepted ones, in order
  std::optional<Ns> east;                                ///< time zone of the rollouts' clock, if known places show it
  double evidence = 0;                                   ///< of the weakest accepted sequence of steps
  double margin = 0;                                     ///< the smallest of an accepted step
  double longer = 0, longer_least = 0, longer_most = 0;  ///< gen minus the rollout: median, bounds
  std::string why_not;                                   ///< why there are no steps
};

inline constexpr double kAlignmentEvidence = 5, kAlignmentMargin = 5;  ///< minima; half the margin next to a clear step

/// `rollouts`: sorted by begin. `local`: their clock may differ from that of the known places by whole quarters of an hour.
StepAlignment align_steps(const std::vector<LoggedStep>& steps, const std::vector<RolloutSpan>& rollouts,
                          const std::vector<KnownPlace>& known, bool local);

}  // namespace tv
