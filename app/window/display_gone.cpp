#include "app/window/display_gone.h"

#include <csignal>
#include <exception>
#include <thread>
#include <utility>

#include "app/line/options.h"
#include "core/base/shared_library.h"
#include "core/io/written/unfinished.h"

namespace tv {
namespace {

// As Xlib's manual declares it.
using IoErrorHandler = int (*)(void* display);

struct Keeper {
  std::function<bool()> keep;
  std::thread::id thread;
};

Keeper& keeper() {
  static Keeper keeper;
  return keeper;
}

int on_io_error(void*) {
  Keeper& known = keeper();
  bool is_offered = false;
  if (known.thread == std::this_thread::get_id() && known.keep) {
    const std::function<bool()> keep = std::exchange(known.keep, nullptr);  // called only once, whatever happens in it
    try {
      is_offered = keep();
    } catch (const std::exception&) {  // must not propagate through Xlib; what was saved before is still there
    }
  }
  end_cleanly(is_offered ? "traceview: the display is gone; what was open is offered at the next start\n"
                         : "traceview: the display is gone\n",
              exit_code::kNoDisplay);
}

}  // namespace

void when_display_gone(std::function<bool()> keep) {
  keeper() = {std::move(keep), std::this_thread::get_id()};
  IoErrorHandler (*set_handler)(IoErrorHandler) = nullptr;
  SharedLibrary("libX11.so.6", SharedLibrary::Load::Never).find(set_handler, "XSetIOErrorHandler");
  if (!set_handler) return;
  set_handler(on_io_error);
  // Writing to a server that has gone must return an error. SIG_IGN would be inherited by child processes.
  std::signal(SIGPIPE, [](int) {});
}

}  // namespace tv
