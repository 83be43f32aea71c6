// The state of the window as JSON: checked by scripts, and the ground truth for a screenshot.
#pragma once

#include <nlohmann/json.hpp>

#include "app/stage/headless_stage.h"

namespace tv {

nlohmann::ordered_json script_state(HeadlessStage& stage);

}  // namespace tv
