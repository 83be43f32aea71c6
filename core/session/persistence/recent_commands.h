// Stores the ids of recently chosen commands, latest first.
#pragma once

#include <string>
#include <vector>

#include "core/base/result.h"

namespace tv {

/// As JSON, and back.
std::string recent_commands_text(const std::vector<std::string>& ids);
Result<std::vector<std::string>> recent_commands_from(const std::string& text);

}  // namespace tv
