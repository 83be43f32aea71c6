// Finds which collective a kernel belongs to (told_collectives.h), by searching the kernel's args without parsing them. Sends and
// receives get no number, because each side counts them separately.
// Source: libkineto output_json.cpp. Cost: a few searches in the args of a communication kernel.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/store/logs/told_collectives.h"

namespace tv {

/// `args`: begins with the args; text after them is ignored. `kernel`: the kernel's name.
std::optional<ToldCollective> collective_in_args(std::string_view args, std::string_view kernel);

/// Keys (told_group_key()) of the groups whose ranks distributedInfo lists.
std::vector<std::string> groups_in_info(std::string_view distributed_info);

}  // namespace tv
