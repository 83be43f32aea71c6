// How times are written in tables, on the ruler and in sentences: since the begin, within the current step, or by the clock.
// Updated when the trace, the format or the step changes.
#pragma once

#include <cstdint>
#include <optional>

#include "core/view/words/time_style.h"

namespace tv {

class ShownTimes {
 public:
  TimeFormat format() const { return format_; }
  const TimeStyle& style() const { return style_; }
  /// For the ruler of the lower of two timelines: times within a step refer to the step that this half shows.
  const TimeStyle& lower_style() const { return lower_style_; }

  void choose(TimeFormat format) {
    format_ = format;
    of_ = UINT64_MAX;
  }
  /// The next format that is useful for this trace; `steps`: it has steps.
  TimeFormat next(const Trace& trace, bool steps) const;
  /// Call once per frame. `step`, `below`: the origins for the format SinceStep.
  void follow(const Trace& trace, std::uint64_t generation, const std::optional<StepTime>& step, const std::optional<StepTime>& below);

 private:
  TimeFormat format_ = TimeFormat::SinceBegin;
  TimeStyle style_, lower_style_;
  std::uint64_t of_ = UINT64_MAX;  ///< generation
  std::optional<StepTime> step_, below_;
};

}  // namespace tv
