// Rollouts written by hand, file by file, for tests with numbers that can be checked on paper. Files are added by run,
// step and worker; what follows a file belongs to it. Steps and columns come from what was added; there are no slices.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "core/analysis/rollout/rollout.h"

namespace tv::test {

class RolloutSketch {
 public:
  RolloutSketch() = default;

  RolloutSketch& file(int step, int worker, int run = 0);
  /// The first line of the file: its stamp since the epoch, its duration.
  RolloutSketch& first_line(Ns end, double seconds);
  RolloutSketch& phase(std::string_view event, double seconds, Ns end = 0);
  /// A complete request that ends at `end` and spends all its time in the engine, except for what spends() takes.
  RolloutSketch& request(double seconds, int turns = 1, int tokens = -1, Ns end = 0);
  RolloutSketch& in_flight();
  /// The last request, to be changed directly.
  RolloutRequest& last();
  RolloutSketch& name(std::string_view id, std::string_view finish);
  RolloutSketch& spends(RequestPhase phase, double seconds);  ///< taken from the engine's
  RolloutSketch& turn(int turn, double pre, double engine, double post, double parsing = 0, int tokens = -1);
  RolloutSketch& origin(Ns ns);

  std::shared_ptr<const Rollout> build() const;
  RolloutLog& log() { return trace_->rollout; }

 private:
  std::shared_ptr<Trace> trace_ = std::make_shared<Trace>();
  std::shared_ptr<Rollout> rollout_ = std::make_shared<Rollout>();
};

}  // namespace tv::test
