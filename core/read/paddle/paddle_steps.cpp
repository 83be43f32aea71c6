#include "core/read/paddle/paddle_steps.h"

#include <algorithm>
#include <utility>

namespace tv {

std::optional<PaddleStep> PaddleSteps::add(std::string_view type, std::string_view micro_batch) {
  any_job_ = true;
  if (marker_.empty() && type != "default") marker_ = type;
  if (marker_.empty()) return std::nullopt;
  if (number_ && (type != marker_ || micro_batch != "0")) return std::nullopt;
  std::optional<PaddleStep> ended = finish();
  number_ = next_++;
  return ended;
}

bool PaddleSteps::add_times(Ns begin, Ns end, std::uint64_t offset) {
  if (!number_) return false;
  if (!step_) step_ = {*number_, begin, end, offset};
  step_->begin = std::min(step_->begin, begin);
  step_->end = std::max(step_->end, end);
  return true;
}

std::optional<PaddleStep> PaddleSteps::restart(std::int64_t first) {
  std::optional<PaddleStep> ended = finish();
  next_ = first;
  any_job_ = false;
  return ended;
}

std::optional<PaddleStep> PaddleSteps::finish() {
  number_.reset();
  return std::exchange(step_, std::nullopt);
}

}  // namespace tv
