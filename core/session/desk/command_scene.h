// Collects the facts that decide which commands the list of commands offers.
#pragma once

#include "core/session/workspace/workspace.h"
#include "core/view/menus/command_list.h"

namespace tv {

CommandScene command_scene(const Workspace& workspace);

}  // namespace tv
