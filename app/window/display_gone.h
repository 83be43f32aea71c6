// The X server can disappear while the program runs: it crashed, the ssh connection broke, the session ended. Xlib then calls a
// handler, and ends the program when that returns. Our handler first saves what is open, removes incomplete files and prints a
// message; the next start offers to reopen it. Does nothing for displays other than X11.
#pragma once

#include <functional>

namespace tv {

/// `keep` saves what is open and returns whether anything is. It is called if the calling thread finds the display gone, and must
/// not use the display. Call once the display is open.
void when_display_gone(std::function<bool()> keep);

}  // namespace tv
