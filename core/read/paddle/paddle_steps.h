// Where the steps of a Paddle pipeline log begin and end. The log does not number them: the first type seen, other than
// `default`, is the marker, and a step begins when it comes with micro-batch 0, as in Paddle's own tool
// (Paddle).
//
// Different from there on purpose: steps are numbered from the banner that tells the first one, jobs without times
// neither begin nor merge steps, and a step ends with its last end, not with that of its last line. Times are ns. Cost:
// O(1) per job.
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
  std::uint64_t offset = 0;  ///< offset of the first job that has times
};

class PaddleSteps {
 public:
  /// A job in the order of the file. Returns the step that ended before it, if it had any job with times.
  std::optional<PaddleStep> add(std::string_view type, std::string_view micro_batch);
  /// Times of the job that was added last. Does it belong to a step?
  bool add_times(Ns begin, Ns end, std::uint64_t offset);
  /// The banner: what follows are steps from this one on.
  std::optional<PaddleStep> restart(std::int64_t first);
  /// At the end.
  std::optional<PaddleStep> finish();
  bool any_job() const { return any_job_; }

 private:
  std::string marker_;
  std::optional<std::int64_t> number_;  // number of the current step
  std::int64_t next_ = 0;
  std::optional<PaddleStep> step_;  // once a job of it had times
  bool any_job_ = false;
};

}  // namespace tv
