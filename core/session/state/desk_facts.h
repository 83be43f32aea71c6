// Facts that a tab cannot know by itself, about the other tabs, the stored state and the desktop. The program sets them.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/view/keys/command_use.h"

namespace tv {

struct DeskFacts {
  static constexpr std::size_t kMostCommands = 30;

  KeptFacts kept;                            ///< about the stored state
  bool closed_tab = false;                   ///< there is a closed tab that can be reopened
  std::vector<std::string> recent_folders;   ///< of files opened in any tab, latest first
  std::vector<std::string> recent_commands;  ///< ids of commands chosen in any tab, latest first
  bool native_dialogs = false;               ///< files are chosen in the desktop's dialog (WindowRequests), not the window's

  /// Moves a chosen command to the front of recent_commands.
  void note_command(std::string id) {
    std::erase(recent_commands, id);
    recent_commands.insert(recent_commands.begin(), std::move(id));
    if (recent_commands.size() > kMostCommands) recent_commands.resize(kMostCommands);
  }
};

}  // namespace tv
