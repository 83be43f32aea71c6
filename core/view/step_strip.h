// The strip above the timeline: a bar for each step of a rollout, stacked by what its time went into, with the steps that stand
// out. A step's time is that of its slowest worker; the parts within it are means over its workers, so that a barrier that holds
// seven of eight workers is seen as wait, and what came between it and the next step is training.
// Cost: O(phases log phases); made once per analysis.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/rollout.h"

namespace tv {

enum class StepPart : std::uint8_t { Preprocessing, Generate, Wait, Rest, Training, kCount };
inline constexpr std::size_t kStepParts = static_cast<std::size_t>(StepPart::kCount);
std::string_view name(StepPart part);

struct StepBar {
  double seconds = 0;  ///< sum of the parts
  std::array<double, kStepParts> part{};
  double factor = 0;   ///< how many times the median, where it stands out; else 0
  std::string reason;  ///< why it does, as far as the log tells
};

struct StepStrip {
  std::vector<StepBar> bars;  ///< as Rollout::steps
  double most = 0;            ///< seconds
};

StepStrip step_strip(const Rollout& rollout);

/// "step 67: rollout 189.5 s, 6.1 times the median: worker 0 ...": for a tooltip, in lines.
std::string step_text(const Rollout& rollout, const StepStrip& strip, std::uint32_t step);

}  // namespace tv
