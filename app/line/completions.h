// Generates the shell completions of the command line from the command table: one file per shell.
#pragma once

#include <string>

#include "app/line/command_table.h"

namespace tv {

std::string bash_completion(const CommandTable& table);
std::string zsh_completion(const CommandTable& table);
std::string fish_completion(const CommandTable& table);

}  // namespace tv
