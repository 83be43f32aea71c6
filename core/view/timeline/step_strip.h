// The strip above the timeline: a bar for each step, stacked by the parts of its time; outliers are marked. For a rollout, a
// step's time is that of its slowest worker. The parts are means over its workers, so that a barrier that holds seven of eight
// workers appears as wait; the time from the step's end to the next step is training. For a training log alone, the parts are
// those of the log. For steps that a program marked, they are the mean over the GPUs of all ranks, and the worst rank is named.
// For a pipeline they are forward, backward and idle, the mean over its stages. Any other source of steps has their time only, and
// the reason why there are no parts. Cost: O(phases log phases), O(steps * GPUs); made once per analysis.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/gpu/gpu_steps.h"
#include "core/analysis/gpu/step_ranges.h"
#include "core/analysis/rollout/rollout.h"
#include "core/analysis/training/pipeline_schedule.h"
#include "core/analysis/training/training.h"
#include "core/view/charts/gpu/step_part.h"

namespace tv {

struct StepBar {
  std::string name;    ///< "step 67"
  std::string number;  ///< "67"; for a line that sums up several: "1601..1700"
  TimeRange range;     ///< on the trace's clock; empty: it is not on the timeline
  std::string text;    ///< the whole tooltip, one entry per line
  double seconds = 0;  ///< sum of the parts
  std::array<double, kStepParts> part{};
  double factor = 0;   ///< multiple of the median if it is an outlier; else 0
};

struct StepStrip {
  std::vector<StepBar> bars;  ///< one per step of Rollout::steps, TrainingRun::steps or StepSource::steps
  double most = 0;            ///< seconds of the longest bar
  std::string of;             ///< what the parts are a mean of: "mean of 8 GPUs"; empty: as described above

  /// Whether any bar has this part.
  bool has(StepPart part) const;
};

StepStrip step_strip(const Rollout& rollout);

StepStrip step_strip(const Training& training, const TrainingRun& run);

/// For steps whose parts are unknown. `why`: the reason.
StepStrip step_strip(const StepSource& source, std::string_view why = {});
/// For sources[source], whose steps a program marked: parts come from its ranks' GPUs. `steps` is parallel to `sources`.
StepStrip step_strip(const GpuActivity& activity, std::span<const StepSource> sources, std::span<const GpuSteps> steps,
                     std::uint32_t source);
/// For a pipeline. None if the source is not one of these pipelines.
std::optional<StepStrip> step_strip(const StepSource& source, std::span<const PipelineSummary> pipelines);

/// The time from the first of these steps to the last; none: none of them is on the timeline.
std::optional<TimeRange> steps_range(const StepStrip& strip, std::size_t first, std::size_t last);

}  // namespace tv
