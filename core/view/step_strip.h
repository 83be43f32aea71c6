// The strip above the timeline: a bar for each step, stacked by what its time went into, with the steps that stand out.
// Of a rollout: a step's time is that of its slowest worker; the parts within it are means over its workers, so that a barrier
// that holds seven of eight workers is seen as wait, and what came between it and the next step is training.
// Of a training log alone: as the log takes the step apart. Of anything else that numbers its steps: their time.
// Cost: O(phases log phases); made once per analysis.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/rollout.h"
#include "core/analysis/step_ranges.h"
#include "core/analysis/training.h"
#include "core/view/step_part.h"

namespace tv {

struct StepBar {
  std::string name;    ///< "step 67"
  std::string number;  ///< "67"; of a line that sums up several "1601..1700"
  TimeRange range;     ///< on the trace's clock; empty: it has no place there
  std::string text;    ///< all that is to be said of it, in lines
  double seconds = 0;  ///< sum of the parts
  std::array<double, kStepParts> part{};
  double factor = 0;   ///< how many times the median, where it stands out; else 0
};

struct StepStrip {
  std::vector<StepBar> bars;  ///< as Rollout::steps, TrainingRun::steps or StepSource::steps
  double most = 0;            ///< seconds

  /// Whether any bar has it.
  bool has(StepPart part) const;
};

StepStrip step_strip(const Rollout& rollout);

StepStrip step_strip(const Training& training, const TrainingRun& run);

/// Of steps that are known by their time alone.
StepStrip step_strip(const StepSource& source);

/// The time from the first of these steps to the last; none: none of them has a place on the timeline.
std::optional<TimeRange> steps_range(const StepStrip& strip, std::size_t first, std::size_t last);

}  // namespace tv
