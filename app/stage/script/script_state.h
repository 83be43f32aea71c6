// The state of the window as JSON, for the lines `expect`, `keep` and `state` of scripts.
#pragma once

#include <nlohmann/json.hpp>

#include "app/stage/headless_stage.h"

namespace tv {

nlohmann::ordered_json script_state(HeadlessStage& stage);

}  // namespace tv
