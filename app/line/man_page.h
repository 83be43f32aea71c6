// Generates the manual page, `man 1 traceview`, from the command table.
#pragma once

#include <string>

#include "app/line/command_table.h"

namespace tv {

/// Returns man(7) markup. Options that many verbs share are described once. `version`: "0.4.0".
std::string man_page(const CommandTable& table, const std::string& version);

}  // namespace tv
