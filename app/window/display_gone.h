// The X server can go while the program works: it crashed, the ssh connection broke, a session was ended. Xlib then calls a handler
// and ends the program when that returns. Ours keeps what is open first, removes what is not complete and says what happened; the
// next start offers what was open. On other displays than X11's nothing is done here.
#pragma once

#include <functional>

namespace tv {

/// `keep` is called on this thread, if it is this one that finds the display gone: it keeps what is open and says whether anything
/// is. It may not ask the display for anything. Once the display is open.
void when_display_gone(std::function<bool()> keep);

}  // namespace tv
