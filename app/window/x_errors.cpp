#include "app/window/x_errors.h"

#include <atomic>

#include "core/base/shared_library.h"

namespace tv {
namespace {

std::atomic<bool> seen = false;

// The type declared in Xlib's manual.
using ErrorHandler = int (*)(void* display, void* event);

int on_error(void*, void*) {
  seen = true;
  return 0;
}

}  // namespace

void survive_x_errors() {
  static ErrorHandler (*const set_handler)(ErrorHandler) = [] {
    ErrorHandler (*found)(ErrorHandler) = nullptr;
    SharedLibrary("libX11.so.6", SharedLibrary::Load::Never).find(found, "XSetErrorHandler");
    return found;
  }();
  if (set_handler) set_handler(on_error);
}

bool take_x_error() { return seen.exchange(false); }

}  // namespace tv
