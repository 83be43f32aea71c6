// Which rollout is which step of a training log? Numbers do not tell: verl counts validations among its rollouts, a restart begins
// again at 1, and a log prints repeated steps again. Both lists are in the order of time, so we look for a monotone alignment:
//
//   log        1   2       3   4        | restarted at step 3     3   4
//   rollouts v 1   2   v   3   4  5(cut)  v                       3   4   5(printed nowhere)
//
// Two things are compared in every alignment: how much longer timing_s/gen is than its rollout, which is nearly the same for all
// steps; and the time between the begins of rollouts, with the length of the steps between. Steps never overlap, and between the
// end of gen and the end of its step there can only be a rollout of its `testing`: an alignment that says otherwise is refuted. So
// is one that contradicts a known time, such as that of a trace of the step.
//
// All alignments are weighed (shortest paths, forward and back), and each step keeps its best place and the second best. A place
// counts if the second best costs clearly more, and if the consecutive steps around it fit better than by chance: lists of equal
// steps, or of one step, are no evidence. Units: seconds, costs in nats. Cost: O(steps x rollouts) time and memory, for each
// possible zone.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/time.h"

namespace tv {

struct LoggedStep {
  std::int64_t number = 0;
  double duration = 0, lead = 0, gen = 0;  ///< `lead`: before gen begins
  double testing = 0;                      ///< at the end of the step
};

struct RolloutSpan {
  std::int64_t step = 0;  ///< from its folder's name
  TimeRange extent;
};

/// A step whose time is known from another file: it begins at `earliest` or later, and at `latest` or earlier if nothing comes
/// before its rollout.
struct KnownPlace {
  std::size_t logged = 0;
  Ns earliest = 0, latest = 0;
  std::string name;  ///< the name of that file
};

struct AlignedStep {
  std::size_t logged = 0, rollout = 0;
  double margin = 0;        ///< how much more the best other place costs
  std::int64_t other = -1;  ///< the second best place: index of a rollout; -1: there is none
  double longer = 0;        ///< how much longer gen is than its rollout
};

struct StepAlignment {
  std::vector<AlignedStep> steps;                        ///< those whose place is clear, in order
  std::optional<Ns> east;                                ///< the zone of the rollouts' clock, if the known places show it
  double evidence = 0;                                   ///< of the weakest session that counts
  double margin = 0;                                     ///< of the least clear step that counts
  double longer = 0, longer_least = 0, longer_most = 0;  ///< gen minus the rollout: median, bounds
  std::string why_not;                                   ///< reason if there are no steps
};

inline constexpr double kAlignmentEvidence = 5, kAlignmentMargin = 5;  ///< the minimum that counts

/// `rollouts`: sorted by begin. `local`: their clock may differ from that of the known places by whole quarters of an hour.
StepAlignment align_steps(const std::vector<LoggedStep>& steps, const std::vector<RolloutSpan>& rollouts,
                          const std::vector<KnownPlace>& known, bool local);

}  // namespace tv
