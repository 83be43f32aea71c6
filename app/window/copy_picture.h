// A picture on the clipboard. GLFW knows text alone, and who owns a clipboard must be there when it is pasted; so a program
// that does nothing else is asked, where there is one: wl-copy (package wl-clipboard) on Wayland, xclip on X11. They stay until
// something else is copied.
#pragma once

#include <string>

#include "core/base/result.h"

namespace tv {

/// `png`: a file's bytes. The error says which program is missing, or what it said.
Result<void> copy_picture(const std::string& png);

}  // namespace tv
