// Keeps the program alive when the X server reports an error: another program destroyed our window, or the program behind a drop
// or the clipboard ended. Xlib's default handler exits. Ours only records the error, and the caller then checks whether our
// window still exists (display_facts.h). On displays other than X11 this does nothing.
#pragma once

namespace tv {

/// Installs our handler. GLFW before 3.4 resets it to Xlib's default after each use of GLFW's, so call this before every wait for
/// events. It sends nothing to the server.
void survive_x_errors();
/// Whether there was an error since the last call.
bool take_x_error();

}  // namespace tv
