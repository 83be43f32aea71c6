// The folders of the user's files, by the XDG Base Directory Specification 0.8: settings that users edit, state that the program
// remembers, caches that may be deleted. Each is $TRACEVIEW_<KIND>_DIR as it is, else $XDG_<KIND>_HOME/traceview, else the folder
// under $HOME that the specification names; relative paths in these variables are ignored. Empty if there is no home.
#pragma once

#include <string>

namespace tv {

std::string config_folder();  ///< ~/.config/traceview
std::string state_folder();   ///< ~/.local/state/traceview
std::string cache_folder();   ///< ~/.cache/traceview

}  // namespace tv
