// The strip above the timeline: a bar for each step, stacked by what its time went into, with the steps that stand out.
// Of a rollout: a step's time is that of its slowest worker; the parts within it are means over its workers, so that a barrier
// that holds seven of eight workers is seen as wait, and what came between it and the next step is training.
// Of a training log alone: as the log takes the step apart. Of steps that a program marked: what the GPUs of all ranks did in
// them, the mean of all; who was worst is said. Of a pipeline: forward, backward and idle, the mean of its stages. Of anything
// else that numbers its steps: their time, and why it is not taken apart.
// Cost: O(phases log phases), O(steps * GPUs); made once per analysis.
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
  std::string of;             ///< what the parts are of: "mean of 8 GPUs"; empty: that goes without saying

  /// Whether any bar has it.
  bool has(StepPart part) const;
};

StepStrip step_strip(const Rollout& rollout);

StepStrip step_strip(const Training& training, const TrainingRun& run);

/// Of steps that are known by their time alone. `why`: they are not taken apart.
StepStrip step_strip(const StepSource& source, std::string_view why = {});
/// Of sources[source], which a program marked: its ranks' GPUs. `steps`: as `sources`.
StepStrip step_strip(const GpuActivity& activity, std::span<const StepSource> sources, std::span<const GpuSteps> steps,
                     std::uint32_t source);
/// Of a pipeline; null where the source is none of these.
std::optional<StepStrip> step_strip(const StepSource& source, std::span<const PipelineSummary> pipelines);

/// The time from the first of these steps to the last; none: none of them has a place on the timeline.
std::optional<TimeRange> steps_range(const StepStrip& strip, std::size_t first, std::size_t last);

}  // namespace tv
