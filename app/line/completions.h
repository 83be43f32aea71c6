// What shells complete on the command line, of the command table: a file for each shell, to be loaded by it.
#pragma once

#include <string>

#include "app/line/command_table.h"

namespace tv {

std::string bash_completion(const CommandTable& table);
std::string zsh_completion(const CommandTable& table);
std::string fish_completion(const CommandTable& table);

}  // namespace tv
