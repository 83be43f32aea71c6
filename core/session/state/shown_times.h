// How times are written, in tables, on the ruler and in sentences: since the begin, in the step that is looked at, by the clock.
// Made again when the trace, the format or the step changes.
#pragma once

#include <cstdint>
#include <optional>

#include "core/view/words/time_words.h"

namespace tv {

class ShownTimes {
 public:
  TimeFormat format() const { return format_; }
  const TimeWords& words() const { return words_; }
  /// On the ruler of the lower of two timelines: within a step it is the step that this half shows.
  const TimeWords& lower_words() const { return lower_words_; }

  void choose(TimeFormat format) {
    format_ = format;
    of_ = UINT64_MAX;
  }
  /// The next format after the present one that says something of this trace; `steps`: there are some.
  TimeFormat next(const Trace& trace, bool steps) const;
  /// Once per frame. `step`, `below`: from which times of the format SinceStep are counted.
  void follow(const Trace& trace, std::uint64_t generation, const std::optional<StepTime>& step, const std::optional<StepTime>& below);

 private:
  TimeFormat format_ = TimeFormat::SinceBegin;
  TimeWords words_, lower_words_;
  std::uint64_t of_ = UINT64_MAX;  ///< generation
  std::optional<StepTime> step_, below_;
};

}  // namespace tv
