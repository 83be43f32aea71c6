// The state of the window as JSON: what scripts check, and the ground truth beside a screenshot.
#pragma once

#include <nlohmann/json.hpp>

#include "app/stage/headless_stage.h"

namespace tv {

nlohmann::ordered_json script_state(HeadlessStage& stage);

}  // namespace tv
