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

std::atomic<bool> error_seen = false;

// XErrorEvent, as Xlib's manual declares it.
struct ErrorEvent {
  int type;
  void* display;
  unsigned long resource, serial;
  unsigned char code, request, minor;
};
constexpr unsigned char kBadWindow = 3, kBadDrawable = 9;  // X.h
using ErrorHandler = int (*)(void* display, ErrorEvent* event);

struct WindowGoneHandler {
  unsigned long window = 0;
  std::function<void()> save;
  std::thread::id thread;
};

WindowGoneHandler& window_gone_handler() {
  static WindowGoneHandler handler;
  return handler;
}

int on_error(void*, ErrorEvent* event) {
  error_seen = true;
  WindowGoneHandler& handler = window_gone_handler();
  if (event->code != kBadWindow && event->code != kBadDrawable) return 0;
  if (handler.window == 0 || event->resource != handler.window) return 0;
  if (handler.thread != std::this_thread::get_id() || !handler.save) return 0;
  const std::function<void()> save = std::exchange(handler.save, nullptr);  // called only once, whatever happens in it
  try {
    save();
  } catch (const std::exception&) {  // must not propagate through Xlib; earlier saved state is still there
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

bool take_x_error() { return error_seen.exchange(false); }

void watch_window(unsigned long window) { window_gone_handler().window = window; }

void when_window_gone(std::function<void()> save) {
  window_gone_handler().save = std::move(save);
  window_gone_handler().thread = std::this_thread::get_id();
}

}  // namespace tv
