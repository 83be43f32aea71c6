// Announces once each step of a followed run that stands out. Steps that existed at the start are not announced. Cost: one
// overview of the steps for each snapshot.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <utility>

#include "core/analysis/rollout/rollout.h"

namespace tv {

class StepNews {
 public:
  /// Other files were opened: the steps of the next snapshot count as existing at the start. The present snapshot is not examined
  /// again.
  void begin_anew() { seen_steps_.clear(); }
  /// A sentence for the user; empty: nothing is new. `generation`: of the rollout's snapshot.
  std::string of(const Rollout& rollout, std::uint64_t generation);

 private:
  std::set<std::pair<std::string, std::int64_t>> seen_steps_;  ///< run and step: announced, or there at the start
  std::uint64_t generation_ = 0;
};

}  // namespace tv
