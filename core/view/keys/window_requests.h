// What commands ask of the window itself: core has no access to it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/view/keys/commands.h"
#include "core/view/keys/file_choice.h"
#include "core/view/keys/mouse_map.h"

namespace tv {

struct WindowRequests {
  std::vector<command::Screenshot> screenshots;
  std::vector<command::SaveText> files;
  std::vector<std::string> copies;       ///< texts for the clipboard
  std::vector<Command> user_state;       ///< ReopenSession, OpenSample, ChangeRecent
  std::vector<Command> of_tabs;          ///< for the tab manager (desk.h)
  std::optional<command::OpenDialog> open_dialog;  ///< for the desktop's dialog; only if there is one
  std::optional<FileQuestion> choose_file;         ///< for the desktop's dialog; only if there is one
  bool quit = false, toggle_full_screen = false;
  bool edit_keys = false;                ///< create the user's file of keys if necessary, and say where it is
  std::optional<MousePreset> mouse_to_save; ///< preset to write into the user's file of keys
};

}  // namespace tv
