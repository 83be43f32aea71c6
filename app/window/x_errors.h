// Survives errors of the X server that concern one window: another program destroyed it, or the program behind a drop or the
// clipboard has ended. Xlib's own handler ends the program in each case. Ours only records the error, and the caller then checks
// whether it concerned our window (display_facts.h). On displays other than X11 this does nothing.
#pragma once

namespace tv {

/// Installs our handler. GLFW before 3.4 restores Xlib's own after each use of its own handler, so call this before every wait
/// for events. It sends nothing to the server.
void survive_x_errors();
/// Whether there was an error since the last call.
bool take_x_error();

}  // namespace tv
