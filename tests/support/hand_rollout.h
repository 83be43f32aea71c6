// Small rollouts for tests that do the arithmetic in a comment. A test adds requests and worker lines in any order; they are stored
// where a reader would store them. All times are in seconds.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/analysis/rollout/rollout.h"

namespace tv::test {

struct HandTurn {
  double engine_end = -1, engine_call = 0;  ///< -1: in no line
  int tokens = -1;
};

struct HandRequest {
  int step = 1, worker = 0;
  double begin = 0, seconds = 0;
  int tokens = -1;
  int batch = -1;
  std::vector<HandTurn> turns = {};
  double engine = 0, tool = 0, reward = 0;  ///< exclusive; the rest is Other
  int run = 0;
  std::string id = {};  ///< empty: "request-N"
};

struct HandPhase {
  int step = 1, worker = 0;
  double end = 0, seconds = 0;
  std::string event = "barrier_wait_duration";
  int run = 0;
};

class HandRollout {
 public:
  HandRollout& add(HandRequest request);
  HandRollout& phase(HandPhase phase);
  /// A file without relevant lines.
  HandRollout& file(int step, int worker, int run = 0);
  std::shared_ptr<const Rollout> build() const;

 private:
  struct File {
    int run, step, worker;
    auto operator<=>(const File&) const = default;
  };
  std::vector<File> files_;  ///< sorted
  std::vector<HandRequest> requests_;
  std::vector<HandPhase> phases_;
};

}  // namespace tv::test
