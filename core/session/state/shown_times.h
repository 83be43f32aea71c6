// How times are written in tables, on the ruler and in sentences, for example since the beginning or by the clock. Updated when the
// trace, the format or the current step changes.
#pragma once

#include <cstdint>
#include <optional>

#include "core/view/words/time_style.h"

namespace tv {

class ShownTimes {
 public:
  TimeFormat format() const { return format_; }
  const TimeStyle& style() const { return style_; }
  /// For the ruler of the lower half of a split: SinceStep then counts from the step that the lower half shows.
  const TimeStyle& lower_style() const { return lower_style_; }

  void choose(TimeFormat format) {
    format_ = format;
    generation_ = UINT64_MAX;
  }
  /// The next format that is useful for this trace. `steps`: the trace has steps.
  TimeFormat next(const Trace& trace, bool steps) const;
  /// Call this once per frame. `step`, `lower_step`: the format SinceStep counts from these, in style() and lower_style().
  void follow(const Trace& trace, std::uint64_t generation, const std::optional<StepTime>& step,
              const std::optional<StepTime>& lower_step);

 private:
  TimeFormat format_ = TimeFormat::SinceBegin;
  TimeStyle style_, lower_style_;
  std::uint64_t generation_ = UINT64_MAX;  ///< of the trace that the styles are for; UINT64_MAX: they must be made anew
  std::optional<StepTime> step_, lower_step_;
};

}  // namespace tv
