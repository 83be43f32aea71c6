#include "core/view/step_strip.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/analysis/step_overview.h"
#include "core/analysis/worker_phases.h"

namespace tv {
namespace {

constexpr std::array<std::string_view, kStepParts> kNames = {"preprocessing", "generate", "barrier wait", "other phases", "training"};

double& at(std::array<double, kStepParts>& parts, StepPart part) { return parts[static_cast<std::size_t>(part)]; }

StepPart part_of(std::string_view event) {
  if (event == kPreprocessing) return StepPart::Preprocessing;
  if (event == kGenerate) return StepPart::Generate;
  return event == kBarrierWait ? StepPart::Wait : StepPart::Rest;
}

}  // namespace

std::string_view name(StepPart part) { return kNames[static_cast<std::size_t>(part)]; }

StepStrip step_strip(const Rollout& rollout) {
  const StepOverview overview = step_overview(rollout);
  StepStrip strip;
  strip.bars.resize(rollout.steps.size());
  for (std::uint32_t s = 0; s < rollout.steps.size(); ++s) {
    StepBar& bar = strip.bars[s];
    const StepPhases phases = worker_phases(rollout, s);
    for (const WorkerPhases& worker : phases.workers) {
      for (const EventSeconds& event : worker.events) {
        if (event.event != kTotal) at(bar.part, part_of(event.event)) += event.sum / static_cast<double>(phases.workers.size());
      }
    }
    const StepDurations& durations = overview.steps[s];
    if (durations.rollout > 0) {  // and not NaN
      double known = 0;
      for (const double seconds : bar.part) known += seconds;
      at(bar.part, StepPart::Rest) += std::max(0.0, durations.rollout - known);
    }
    if (durations.training > 0) at(bar.part, StepPart::Training) = durations.training;
    for (const double seconds : bar.part) bar.seconds += seconds;
    if (const auto& slow = durations.slow_rollout ? durations.slow_rollout : durations.slow_training) {
      bar.factor = slow->factor;
      if (slow->reason) bar.reason = text_of(rollout, *slow->reason);
    }
    strip.most = std::max(strip.most, bar.seconds);
  }
  return strip;
}

std::string step_text(const Rollout& rollout, const StepStrip& strip, std::uint32_t step) {
  const StepBar& bar = strip.bars[step];
  const RolloutStep& in = rollout.steps[step];
  std::string text = fmt::format("{}: {:.1f} s, {} requests", rollout.step_name(step), bar.seconds, in.end - in.first);
  for (std::size_t p = 0; p < kStepParts; ++p) {
    if (bar.part[p] > 0) text += fmt::format("\n{:>8.2f} s  {}", bar.part[p], kNames[p]);
  }
  if (bar.factor > 0) text += fmt::format("\n{:.1f} times the median", bar.factor);
  if (!bar.reason.empty()) text += "\n" + bar.reason;
  return text;
}

}  // namespace tv
