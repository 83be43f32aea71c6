// Announces each step of a followed run that stands out, once. Steps that existed at the start are not announced. Cost: one
// overview of the steps for each reading of the files.
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
  void begin_anew() { told_.clear(); }
  /// A sentence for the user; empty: nothing new. `generation`: of the rollout's snapshot.
  std::string of(const Rollout& rollout, std::uint64_t generation);

 private:
  std::set<std::pair<std::string, std::int64_t>> told_;  ///< by run
  std::uint64_t generation_ = 0;
};

}  // namespace tv
