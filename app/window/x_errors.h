// Errors of the X server that say something of one window: it was destroyed by another program, or the one that a drop or a
// clipboard came from has ended meanwhile. Xlib's own handler ends the program at each of them. Ours notes that there was one, and
// who asks then finds out whether it was about our window (drop_facts.h). On other displays than X11's nothing is done here.
#pragma once

namespace tv {

/// From now on. GLFW before 3.4 puts Xlib's own handler back after each use of its own, so this is called before every wait for
/// events; nothing is sent to the server.
void survive_x_errors();
/// There was one since the last call.
bool take_x_error();

}  // namespace tv
