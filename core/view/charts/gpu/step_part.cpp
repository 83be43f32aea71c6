#include "core/view/charts/gpu/step_part.h"

#include <algorithm>
#include <array>
#include <string>

#include "core/base/text/ascii.h"
#include "core/view/charts/gpu/gpu_chart_parts.h"
#include "core/view/color/phase_colors.h"

namespace tv {
namespace {

struct NamedPart {
  std::string_view name;
  int color;
};
constexpr std::array<NamedPart, kStepParts> kNamedParts = {{{"preprocessing", 4},
                                                            {"generate", 0},
                                                            {"barrier wait", kWaitingColor},
                                                            {"other phases", 8},
                                                            {"training", 2},
                                                            {"scoring", 7},
                                                            {"communication", 1},
                                                            {"saving, tests", 5},
                                                            {"steps", 2},
                                                            {"computing", kComputeColor},
                                                            {"graphs", kGraphColor},
                                                            {"exposed communication", kExposedColor},
                                                            {"copies", kMemoryColor},
                                                            {"forward", kForwardColor},
                                                            {"backward", kBackwardColor},
                                                            {"optimizer, other", kOptimizerColor},
                                                            {"idle", kIdleColor},
                                                            {"not recorded", 8}}};

// Words of names in lower case, with '_' for '-', '/', '.' and blanks. Only whole words match: "ref" is in "compute_ref", not in
// "prefetch".
struct PartRule {
  std::string_view words;
  StepPart part;
};
constexpr PartRule kPartRules[] = {
    // verl, verl/trainer/ppo/ray_trainer.py and fully_async: `with marked_timer(...)`; names in verl_metrics.cpp
    {"wait_for_enough_samples", StepPart::Wait},
    {"sync_rollout_weights", StepPart::Communication},
    {"update_weights", StepPart::Communication},
    {"param_sync", StepPart::Communication},
    {"reshard", StepPart::Communication},
    {"gen", StepPart::Generate},
    {"generate", StepPart::Generate},
    {"generate_async", StepPart::Generate},
    {"generate_sequences", StepPart::Generate},
    {"rollout", StepPart::Generate},
    {"reward", StepPart::Scoring},
    {"rm", StepPart::Scoring},
    {"old_log_prob", StepPart::Scoring},
    {"log_prob", StepPart::Scoring},
    {"ref", StepPart::Scoring},
    {"values", StepPart::Scoring},
    {"adv", StepPart::Scoring},
    {"update_critic", StepPart::Training},
    {"update_actor", StepPart::Training},
    {"update", StepPart::Training},
    {"save_checkpoint", StepPart::Saving},
    {"testing", StepPart::Saving},
    // Megatron-LM, megatron/training/training.py and core/pipeline_parallel/schedules.py: `timers('...')`; Megatron-DeepSpeed has
    // the same, and pipe_recv_* of its engine. Names of transfers contain "forward" or "backward", so they must come first.
    {"all_reduce", StepPart::Communication},
    {"allreduce", StepPart::Communication},
    {"reduce_scatter", StepPart::Communication},
    {"all_gather", StepPart::Communication},
    {"grads_sync", StepPart::Communication},
    {"recv", StepPart::Communication},
    {"send", StepPart::Communication},
    {"batch_generator", StepPart::Preprocessing},
    {"data_loader", StepPart::Preprocessing},
    {"dataloader", StepPart::Preprocessing},
    {"batch_input", StepPart::Preprocessing},
    {"save", StepPart::Saving},
    {"checkpoint", StepPart::Saving},
    {"eval", StepPart::Saving},
    {"evaluate", StepPart::Saving},
    {"validation", StepPart::Saving},
    {"forward", StepPart::Training},
    {"backward", StepPart::Training},
    {"fwd", StepPart::Training},  // DeepSpeed: fwd_microstep, bwd_microstep, step_microstep
    {"bwd", StepPart::Training},
    {"optimizer", StepPart::Training},
    {"step_microstep", StepPart::Training},
    // Any log
    {"preprocess", StepPart::Preprocessing},
    {"preprocessing", StepPart::Preprocessing},
    {"data", StepPart::Preprocessing},
    {"wait", StepPart::Wait},
    {"barrier", StepPart::Wait},
    {"train", StepPart::Training},
    {"training", StepPart::Training},
};

bool has_words(std::string_view name, std::string_view words) {
  for (std::size_t at = name.find(words); at != name.npos; at = name.find(words, at + 1)) {
    const std::size_t after = at + words.size();
    if ((at == 0 || name[at - 1] == '_') && (after == name.size() || name[after] == '_')) return true;
  }
  return false;
}

}  // namespace

std::string_view name(StepPart part) { return kNamedParts[static_cast<std::size_t>(part)].name; }

int color_of(StepPart part) { return kNamedParts[static_cast<std::size_t>(part)].color; }

StepPart step_part(std::string_view logged) {
  std::string name = lower_case(logged);
  std::ranges::replace_if(name, [](char c) { return c == '-' || c == ' ' || c == '/' || c == '.'; }, '_');
  const auto rule = std::ranges::find_if(kPartRules, [&](const PartRule& r) { return has_words(name, r.words); });
  return rule == std::end(kPartRules) ? StepPart::Rest : rule->part;
}

}  // namespace tv
