#include "app/window/display_gone.h"

#include <exception>
#include <thread>
#include <utility>

#include "app/line/options.h"
#include "core/base/process.h"
#include "core/base/shared_library.h"
#include "core/io/written/unfinished.h"

namespace tv {
namespace {

// As Xlib's manual declares it.
using IoErrorHandler = int (*)(void* display);

struct DisplayGoneHandler {
  std::function<bool()> save;
  std::thread::id thread;
};

DisplayGoneHandler& display_gone_handler() {
  static DisplayGoneHandler handler;
  return handler;
}

int on_io_error(void*) {
  DisplayGoneHandler& handler = display_gone_handler();
  bool is_offered = false;
  if (handler.thread == std::this_thread::get_id() && handler.save) {
    const std::function<bool()> save = std::exchange(handler.save, nullptr);  // called only once, whatever happens in it
    try {
      is_offered = save();
    } catch (const std::exception&) {  // must not propagate through Xlib; earlier saved state is still there
    }
  }
  end_cleanly(is_offered ? "traceview: the display is gone; what was open is offered at the next start\n"
                         : "traceview: the display is gone\n",
              exit_code::kNoDisplay);
}

}  // namespace

void when_display_gone(std::function<bool()> save) {
  display_gone_handler() = {std::move(save), std::this_thread::get_id()};
  IoErrorHandler (*set_handler)(IoErrorHandler) = nullptr;
  SharedLibrary("libX11.so.6", SharedLibrary::Load::Never).find(set_handler, "XSetIOErrorHandler");
  if (!set_handler) return;
  set_handler(on_io_error);
  on_closed_pipe(ClosedPipe::Fails);  // so that writing to a server that has gone returns an error
}

}  // namespace tv
