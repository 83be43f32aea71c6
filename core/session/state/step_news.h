// What is said of the steps of a run that is followed: each step that stands out, once. The steps that were there from the start are
// not new. Cost: one overview of the steps for each reading of the files.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <utility>

#include "core/analysis/rollout/rollout.h"

namespace tv {

class StepNews {
 public:
  void begin_anew() { *this = {}; }
  /// A sentence for the user; empty: nothing is new. `generation`: of the snapshot that the rollout is of.
  std::string of(const Rollout& rollout, std::uint64_t generation);

 private:
  std::set<std::pair<std::string, std::int64_t>> told_;  ///< by run
  std::uint64_t generation_ = 0;
};

}  // namespace tv
