// Puts a picture on the clipboard. GLFW only supports text, and the owner of a picture must still run when the picture is pasted.
// So another program takes the picture: wl-copy (package wl-clipboard) on Wayland, xclip on X11. That program runs until something
// else is copied.
#pragma once

#include <string>

#include "core/base/result.h"

namespace tv {

/// `png`: the bytes of a PNG file. The error names the program that is missing or failed.
Result<void> copy_picture(const std::string& png);

}  // namespace tv
