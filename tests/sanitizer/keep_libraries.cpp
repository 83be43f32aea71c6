// Keeps libraries loaded in address-sanitized programs. GLFW 3.4 unloads libX11 and others before the leak check runs, which then
// cannot tell whose memory it found (tests/support/lsan.supp names libraries).
#include <dlfcn.h>

extern "C" int dlclose(void*) noexcept { return 0; }
