// What a kernel's args say of the collective that it is of (told_collectives.h), in their text as it stands. Sends and receives are
// counted by each side for itself: of these the number is left out.
// Source: libkineto output_json.cpp. Cost: a few searches in the args of a communication kernel.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/store/collectives/told_collectives.h"

namespace tv {

/// `args`: from where they begin; what follows them is not looked at. `kernel`: its name.
std::optional<ToldCollective> collective_in_args(std::string_view args, std::string_view kernel);

/// Of distributedInfo: keys (told_group_key()) of the groups whose ranks it tells.
std::vector<std::string> groups_in_info(std::string_view distributed_info);

}  // namespace tv
