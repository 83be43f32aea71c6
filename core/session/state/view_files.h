// Views other than the one on the screen: the numbered ones, the view file, and one that is shown once its files are read.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "core/session/kept/view_file.h"
#include "core/view/panels/shown_state.h"

namespace tv {

struct ViewFiles {
  std::array<std::optional<ShownLook>, kStoredViews> stored;  ///< by number
  std::string file;                   ///< that was opened or saved last; empty: none
  std::optional<ShownState> wanted;   ///< shown when the open files have been read
  std::string wanted_file;            ///< where it is from; empty: from no file
  std::vector<ViewSource> missing;    ///< files and folders that a view file names and that were not found anywhere
  std::string missing_of;             ///< that view file
};

/// The view file among the paths that were opened.
struct TakenView {
  std::optional<ShownState> state;
  std::string file;
};

}  // namespace tv
