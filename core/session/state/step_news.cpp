#include "core/session/state/step_news.h"

#include <fmt/format.h>

#include "core/analysis/rollout/step_overview.h"

namespace tv {
namespace {

constexpr double kLeastFactor = 1.1;  // as for findings; a smaller factor does not justify a message

}  // namespace

std::string StepNews::of(const Rollout& rollout, std::uint64_t generation) {
  if (generation_ == generation) return {};
  generation_ = generation;
  const StepOverview overview = step_overview(rollout);
  const bool first = seen_steps_.empty();
  std::string message;
  std::size_t more = 0;
  for (std::size_t s = 0; s < overview.steps.size(); ++s) {
    const std::pair<std::string, std::int64_t> step{rollout.runs[static_cast<std::size_t>(rollout.steps[s].run)], rollout.steps[s].step};
    const auto& slow = overview.steps[s].slow_rollout;
    if ((!slow || slow->factor < kLeastFactor) && !first) continue;
    if (!seen_steps_.insert(step).second || first) continue;
    more += message.empty() ? 0 : 1;
    message = fmt::format("step {} stands out: its rollout took {:.1f} times as long as usual{}", step.second, slow->factor,
                       slow->reason ? " (" + text_of(rollout, *slow->reason) + ")" : std::string());
  }
  return more > 0 ? fmt::format("{}; so do {} before it", message, more) : message;
}

}  // namespace tv
