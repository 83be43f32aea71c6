// Requests of commands to the window itself, which core does not know.
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
  std::vector<Command> remembered;       ///< ReopenSession, OpenSample, ChangeRecent
  std::vector<Command> of_tabs;          ///< for the desk (desk.h)
  std::optional<command::OpenDialog> open_dialog;  ///< the desktop's dialog; only if it has one
  std::optional<FileQuestion> choose_file;         ///< the desktop's dialog; only if it has one
  bool quit = false, toggle_full_screen = false;
  bool edit_keys = false;                ///< the user's file of keys is to be there, and where it is to be said
  std::optional<MousePreset> keep_mouse; ///< to be written there
};

}  // namespace tv
