// Announces each step of a followed run that stands out, once. Steps that were there at the start are not announced. Cost: one overview of the steps for each reading of the files.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <utility>

#include "core/analysis/rollout/rollout.h"

namespace tv {

class StepNews {
 public:
  /// Something else was opened: what the next snapshot has was there at the start. The present one is not looked at again.
  void begin_anew() { told_.clear(); }
  /// A sentence for the user; empty: nothing is new. `generation`: of the snapshot that the rollout is of.
  std::string of(const Rollout& rollout, std::uint64_t generation);

 private:
  std::set<std::pair<std::string, std::int64_t>> told_;  ///< by run
  std::uint64_t generation_ = 0;
};

}  // namespace tv
