// What the program tells each tab: it knows the other tabs, what is kept from the last time, and the desktop.
#pragma once

#include <string>
#include <vector>

#include "core/view/keys/command_use.h"

namespace tv {

struct ToldByDesk {
  KeptFacts kept;
  bool closed_tab = false;                  ///< there is one to open again
  std::vector<std::string> recent_folders;  ///< where files were opened from, of all tabs, the last first
  bool native_dialogs = false;  ///< the desktop has dialogs for files: they are asked for (WindowRequests) instead of the one in the window
};

}  // namespace tv
