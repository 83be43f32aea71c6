// Views other than the one on the screen: the numbered views, the view file, and a view that waits until its files are read.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "core/session/persistence/view_file.h"
#include "core/view/panels/shown_state.h"

namespace tv {

/// A file or folder that a view file names, but that was not found.
struct MissingSource {
  ViewSource source;
  std::string view_file;
};

struct ViewFiles {
  std::array<std::optional<ShownLook>, kStoredViews> stored;  ///< by number
  std::string file;                   ///< the view file that was opened or saved last; empty: none
  std::optional<ShownState> wanted;   ///< will be shown when the open files have been read
  std::string wanted_file;            ///< the view file of `wanted`; empty: none
  std::vector<MissingSource> missing;
  std::string show_when_found;        ///< the view file that is shown again when missing sources are found; empty: none
};

/// The first view file among the paths that were opened.
struct TakenView {
  std::optional<ShownState> state;
  std::string file;
};

}  // namespace tv
