// The X server can disappear while the program runs: the server crashed, the ssh connection broke, or the session ended. Xlib then
// calls a handler, and ends the program when the handler returns. Our handler saves the session, which the next start offers to
// reopen, removes incomplete files and prints a message. Does nothing for displays other than X11.
#pragma once

#include <functional>

namespace tv {

/// Call this once the display is open. `save` saves the session and returns whether anything is open. It runs on the thread that
/// called this function, when that thread finds the display gone, and must not use the display. Null: nothing is saved.
void when_display_gone(std::function<bool()> save);

}  // namespace tv
