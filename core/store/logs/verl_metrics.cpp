#include "core/store/logs/verl_metrics.h"

namespace tv {
namespace {

constexpr std::string_view kPhases[] = {
    "wait_for_enough_samples", "sync_rollout_weights", "generate_async", "gen", "reward", "old_log_prob", "ref", "values",
    "adv", "update_critic_actor", "update_critic", "update_actor", "save_checkpoint", "update_weights", "param_sync",
    "testing"};

constexpr std::string_view kOldSeconds = "timing(s)/", kOldest = "timing/", kOldPerToken = "timing_per_token(ms)/";

}  // namespace

std::string canonical_metric(std::string_view name) {
  const auto with_prefix = [&](std::string_view prefix, std::size_t cut) {
    return std::string(prefix).append(name.substr(cut));
  };
  if (name.starts_with(kOldSeconds)) return with_prefix(kTimingPrefix, kOldSeconds.size());
  if (name.starts_with(kOldest)) return with_prefix(kTimingPrefix, kOldest.size());
  if (name.starts_with(kOldPerToken)) return with_prefix(kPerTokenPrefix, kOldPerToken.size());
  if (name.starts_with(kTimingPrefix) && name.substr(kTimingPrefix.size()).starts_with(kTimingPrefix)) {
    return std::string(name.substr(kTimingPrefix.size()));
  }
  return std::string(name);
}

std::span<const std::string_view> verl_phases() { return kPhases; }

bool is_verl_duration(std::string_view name) {
  const auto contains = [&](std::string_view part) { return name.find(part) != std::string_view::npos; };
  return name.starts_with(kTimingPrefix) && !contains("/num_preempted") && !contains("/prompt_length") &&
         !contains("/response_length") && !name.ends_with("/topk_ratio");
}

}  // namespace tv
