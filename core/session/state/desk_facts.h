// Facts that each tab gets from the program, which knows the other tabs, the stored state and the desktop.
#pragma once

#include <string>
#include <vector>

#include "core/view/keys/command_use.h"

namespace tv {

struct DeskFacts {
  KeptFacts kept;
  bool closed_tab = false;                  ///< there is a closed tab that can be reopened
  std::vector<std::string> recent_folders;  ///< of files opened in any tab, latest first
  bool native_dialogs = false;  ///< files are chosen in the desktop's dialog (WindowRequests), not in the window's own
};

}  // namespace tv
