// Finds where the steps of a Paddle pipeline log begin and end. The log does not number them. As in Paddle's own tool, the first
// job type other than `default` is the marker, and a job of this type with micro-batch 0 begins a step. Source: Paddle.
//
// Deliberate differences from that tool: steps are numbered from the banner that names the first one; jobs without times neither
// begin nor merge steps; a step ends at the latest end of its jobs, not at the end of the job in its last line. Times are ns.
// Cost: O(1) per job.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/time.h"

namespace tv {

struct PaddleStep {
  std::int64_t number = 0;
  Ns begin = 0, end = 0;
  std::uint64_t offset = 0;  ///< of the first job with times
};

class PaddleSteps {
 public:
  /// Adds a job, in the order of the file. Returns the step that ended before this job, if any of that step's jobs had times.
  std::optional<PaddleStep> add(std::string_view type, std::string_view micro_batch);
  /// Adds the times of the job that was added last. Returns whether the job belongs to a step.
  bool add_times(Ns begin, Ns end, std::uint64_t offset);
  /// Call at a banner: the steps that follow are numbered from `first`. Returns the step that ended before, as add() does.
  std::optional<PaddleStep> restart(std::int64_t first);
  /// Call at the end. Returns the last step, as add() does.
  std::optional<PaddleStep> finish();
  bool any_job() const { return any_job_; }

 private:
  std::string marker_;
  std::optional<std::int64_t> number_;  // number of the current step
  std::int64_t next_ = 0;
  std::optional<PaddleStep> step_;  // set once one of its jobs had times
  bool any_job_ = false;
};

}  // namespace tv
