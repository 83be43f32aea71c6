// Where what belongs to the user is kept, by the XDG Base Directory Specification 0.8: settings that a person edits, state that the
// program remembers, caches that anybody may delete. Of each: $TRACEVIEW_<KIND>_DIR as it is, else $XDG_<KIND>_HOME/traceview, else
// the folder in the home that the specification names; a relative value there is ignored. Empty when there is no home.
#pragma once

#include <string>

namespace tv {

std::string config_folder();  ///< ~/.config/traceview
std::string state_folder();   ///< ~/.local/state/traceview
std::string cache_folder();   ///< ~/.cache/traceview

}  // namespace tv
