// Which boxes are open over the lanes: help, search, go to, the file dialog.
#pragma once

#include <optional>
#include <string>

#include "core/view/keys/commands.h"
#include "core/view/keys/file_choice.h"

namespace tv {

struct OpenBoxes {
  bool help = false;
  bool search = false;
  bool go_to = false;
  std::string go_to_complaint;  ///< why the last place was not found; empty if it was
  bool dialog = false;
  command::OpenDialog dialog_asks;       ///< where the files chosen in the dialog will be opened
  std::optional<FileQuestion> question;  ///< the question that the dialog answers; none: which files to open
};

}  // namespace tv
