#include "core/view/charts/gpu/step_part.h"

#include <doctest/doctest.h>

#include <string>

#include "core/store/logs/verl_metrics.h"

using namespace tv;

TEST_CASE("step_part: phase names of verl and Megatron map to their parts") {
  const std::pair<const char*, StepPart> cases[] = {
      {"gen", StepPart::Generate},
      {"generate_async", StepPart::Generate},
      {"old_log_prob", StepPart::Scoring},
      {"ref", StepPart::Scoring},
      {"update_critic_actor", StepPart::Training},
      {"update_weights", StepPart::Communication},
      {"save_checkpoint", StepPart::Saving},
      {"forward-compute", StepPart::Training},
      {"backward-compute", StepPart::Training},
      {"forward-backward", StepPart::Training},
      {"optimizer", StepPart::Training},
      {"optimizer-inner-step", StepPart::Training},
      {"forward-recv", StepPart::Communication},
      {"backward-send-forward-recv", StepPart::Communication},
      {"backward-params-all-reduce", StepPart::Communication},
      {"layernorm-grads-all-reduce", StepPart::Communication},
      {"all-grads-sync", StepPart::Communication},
      {"params-all-gather", StepPart::Communication},
      {"batch-generator", StepPart::Preprocessing},
      {"save-checkpoint", StepPart::Saving},
      {"Forward Compute", StepPart::Training},
      {"agent_loop", StepPart::Rest},
      {"prefetch", StepPart::Rest},  // not "ref"
      {"", StepPart::Rest},
  };
  for (const auto& [logged, part] : cases) {
    const auto& shown_text = logged;  // clang 14: no binding in CAPTURE's lambda
    CAPTURE(std::string(shown_text));
    CHECK(name(step_part(logged)) == name(part));
  }
  for (const std::string_view phase : verl_phases()) {
    CAPTURE(std::string(phase));
    CHECK(step_part(phase) != StepPart::Rest);
  }
}
