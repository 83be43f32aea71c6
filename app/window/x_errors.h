// Keeps the program alive when the X server reports an error, for example because the program that a drop or the clipboard comes
// from has ended. Xlib's default handler exits; ours records the error.
//
// If another program has destroyed our window, the handler saves the session and ends the program. The handler cannot return:
// Mesa's software renderer (22.3) asks for the window's size while it draws, uses uninitialised memory if there is no answer, and
// writes beyond its buffers. On displays other than X11, these functions do nothing.
#pragma once

#include <functional>

namespace tv {

/// Installs our handler, without sending anything to the server. Call this before every wait for events: GLFW before 3.4 has its
/// own handler for some calls, and sets Xlib's default afterwards.
void survive_x_errors();
/// Whether there was an error since the last call.
bool take_x_error();

/// Sets the X11 id of our window; 0: there is no window now.
void watch_window(unsigned long window);
/// `save` saves the session. It runs on the thread that called this function, when that thread finds the window gone, and must not
/// use the display. Null: errors about the window are only recorded.
void when_window_gone(std::function<void()> save);

}  // namespace tv
