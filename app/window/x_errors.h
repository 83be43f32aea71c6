// Keeps the program alive when the X server reports an error: the program behind a drop or the clipboard ended. Xlib's default
// handler exits. Ours records the error.
//
// If another program has destroyed our window, the handler saves what is open and ends the program. It cannot return: Mesa's
// software renderer (22.3) asks for the window's size while it draws, takes uninitialised memory for the answer if there is none,
// and writes beyond its buffers. On displays other than X11 all this does nothing.
#pragma once

#include <functional>

namespace tv {

/// Installs our handler. GLFW before 3.4 resets it to Xlib's default after each use of GLFW's, so call this before every wait for
/// events. It sends nothing to the server.
void survive_x_errors();
/// Whether there was an error since the last call.
bool take_x_error();

/// The id of our window in X11; 0: there is none now.
void watch_window(unsigned long window);
/// `keep` saves what is open. It is called if the calling thread finds the window gone, and must not use the display. Null: nothing
/// is done then.
void when_window_gone(std::function<void()> keep);

}  // namespace tv
