// The folders of the user's files, by the XDG Base Directory Specification 0.8: settings that users edit, state that the program
// remembers, caches that may be deleted. Each is $TRACEVIEW_<KIND>_DIR if set, else $XDG_<KIND>_HOME/traceview if that is absolute,
// else traceview in the folder under $HOME that the specification names. Empty if there is no home.
#pragma once

#include <string>

namespace tv {

std::string config_folder();  ///< ~/.config/traceview
std::string state_folder();   ///< ~/.local/state/traceview
std::string cache_folder();   ///< ~/.cache/traceview

}  // namespace tv
