// Pipeline schedules simulated job by job, and the logs that Paddle would write of them. A job begins when its stage is free and
// its inputs have arrived, so that the true bubbles are known from the schedule alone.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/time.h"
#include "tests/support/gen_trace.h"
#include "tests/support/temp_dir.h"

namespace tv::test {

enum class Schedule : std::uint8_t {
  FThenB,
  OneFOneB,
  Eager,        ///< 1F1B that sends each micro-batch twice as early (Paddle's Eager1F1B)
  Interleaved,  ///< VPP: micro-batches in groups of as many as there are stages
  ZbH1,         ///< weights' gradients of the first `stage` micro-batches are put off until the end
  kCount,
};

struct PipelinePlan {
  Schedule schedule = Schedule::OneFOneB;
  int stages = 4, micro_batches = 8;
  int chunks = 1;  ///< more than one for Interleaved only
  int steps = 1;
  std::int64_t first_step = 0;                                   ///< of the banner; 0: there is none
  Ns forward = 10 * kMillisecond, backward = 20 * kMillisecond;  ///< of a job; ZbH1 halves backward
  Ns optimizer = 0;                                              ///< 0: there is none
  Ns latency = 0;                                                ///< between stages
  double jitter = 0;                                             ///< durations are up to this part longer
  int slow_stage = -1;
  double slow_factor = 1;
  std::uint64_t seed = 0;  ///< of the jitter
};

struct PlayedJob {
  std::string type;
  int stage = 0, step = 0, micro_batch = 0, chunk = 0;
  bool forward = false, backward = false;
  Ns begin = 0, end = 0;
};

/// By stage, in the order of its plan. The first job begins at 0; steps follow each other with a pause.
std::vector<std::vector<PlayedJob>> play(const PipelinePlan& plan);

/// The origin of times in the logs.
inline constexpr Ns kPipelineEpoch = 1'700'000'000 * kSecond;

/// The log of one stage.
std::string worker_log(const PipelinePlan& plan, const std::vector<PlayedJob>& jobs);
/// workerlog.N of all stages, or machineM/workerlog.N with so many devices on each machine. Returns the files.
std::vector<std::string> write_logs(const TempDir& folder, const std::string& run, const PipelinePlan& plan,
                                    int per_machine = 0);

/// A small plan, a different one each time.
PipelinePlan random_plan(Random& random);

}  // namespace tv::test
