#include "core/session/state/shown_times.h"

namespace tv {

TimeFormat ShownTimes::next(const Trace& trace, bool steps) const {
  constexpr int kFormats = static_cast<int>(TimeFormat::kCount);
  for (int i = 1; i < kFormats; ++i) {
    const auto next = static_cast<TimeFormat>((static_cast<int>(style_.format) + i) % kFormats);
    if (has_format(trace, next, steps)) return next;
  }
  return TimeFormat::SinceBegin;
}

void ShownTimes::follow(const Trace& trace, std::uint64_t generation, const std::optional<StepTime>& step,
                        const std::optional<StepTime>& lower_step) {
  if (generation_ == generation && step == step_ && lower_step == lower_step_) return;
  generation_ = generation;
  step_ = step;
  lower_step_ = lower_step;
  style_ = time_style(trace, format_, step_ ? &*step_ : nullptr);
  lower_style_ = time_style(trace, format_, lower_step_ ? &*lower_step_ : nullptr);
}

}  // namespace tv
