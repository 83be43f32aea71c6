#include "app/window/x_errors.h"

#include <atomic>
#include <exception>
#include <thread>
#include <utility>

#include "app/line/options.h"
#include "core/base/shared_library.h"
#include "core/io/written/unfinished.h"

namespace tv {
namespace {

std::atomic<bool> seen = false;

// XErrorEvent as in Xlib's manual.
struct ErrorEvent {
  int type;
  void* display;
  unsigned long resource, serial;
  unsigned char code, request, minor;
};
constexpr unsigned char kBadWindow = 3, kBadDrawable = 9;  // X.h
using ErrorHandler = int (*)(void* display, ErrorEvent* event);

struct WindowKeeper {
  unsigned long window = 0;
  std::function<void()> keep;
  std::thread::id thread;
};

WindowKeeper& window_keeper() {
  static WindowKeeper keeper;
  return keeper;
}

int on_error(void*, ErrorEvent* event) {
  seen = true;
  WindowKeeper& known = window_keeper();
  if (event->code != kBadWindow && event->code != kBadDrawable) return 0;
  if (known.window == 0 || event->resource != known.window) return 0;
  if (known.thread != std::this_thread::get_id() || !known.keep) return 0;
  const std::function<void()> keep = std::exchange(known.keep, nullptr);  // called only once, whatever happens in it
  try {
    keep();
  } catch (const std::exception&) {  // must not propagate through Xlib; what was saved before is still there
  }
  end_cleanly("", exit_code::kOk);
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

void watch_window(unsigned long window) { window_keeper().window = window; }

void when_window_gone(std::function<void()> keep) {
  window_keeper().keep = std::move(keep);
  window_keeper().thread = std::this_thread::get_id();
}

}  // namespace tv
