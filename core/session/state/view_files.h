// Views other than the one on the screen: the numbered views, the view file, and a view that waits until its files are read.
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
  std::string file;                   ///< the view file that was opened or saved last; empty: none
  std::optional<ShownState> wanted;   ///< will be shown when the open files have been read
  std::string wanted_file;            ///< the view file of `wanted`; empty: none
  std::vector<ViewSource> missing;    ///< files and folders that a view file names, but that were not found
  std::string missing_of;             ///< the view file that names them
};

/// The view file among the paths that were opened.
struct TakenView {
  std::optional<ShownState> state;
  std::string file;
};

}  // namespace tv
