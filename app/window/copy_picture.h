// Puts a picture on the clipboard. GLFW only supports text, and the owner of a clipboard must still run when it is pasted. So
// this starts a program that does nothing else, if there is one: wl-copy (package wl-clipboard) on Wayland, xclip on X11. It
// keeps running until something else is copied.
#pragma once

#include <string>

#include "core/base/result.h"

namespace tv {

/// `png`: the bytes of a file. The error names the program that is missing or failed.
Result<void> copy_picture(const std::string& png);

}  // namespace tv
