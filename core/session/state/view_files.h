// Views other than the one on the screen: the numbered ones, the view file, and one that will be shown once its files are read.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "core/session/persistence/view_file.h"
#include "core/view/panels/shown_state.h"

namespace tv {

struct ViewFiles {
  std::array<std::optional<ShownLook>, kStoredViews> stored;  ///< by number
  std::string file;                   ///< last opened or saved; empty: none
  std::optional<ShownState> wanted;   ///< shown when the open files have been read
  std::string wanted_file;            ///< the file it came from; empty: none
  std::vector<ViewSource> missing;    ///< files and folders named by a view file that were not found
  std::string missing_of;             ///< that view file
};

/// The view file among the paths that were opened.
struct TakenView {
  std::optional<ShownState> state;
  std::string file;
};

}  // namespace tv
