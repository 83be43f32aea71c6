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

struct LastWords {
  std::function<void()> say;
  std::thread::id thread;
};

LastWords& last_words_of_display() {
  static LastWords words;
  return words;
}

int on_io_error(void*) {
  LastWords& words = last_words_of_display();
  if (words.thread == std::this_thread::get_id() && words.say) {
    const std::function<void()> say = std::exchange(words.say, nullptr);  // once, whatever happens in it
    try {
      say();
    } catch (const std::exception&) {  // not through Xlib; what was kept before is still there
    }
  }
  end_cleanly("traceview: the display is gone; what was open is offered at the next start\n", exit_code::kNoDisplay);
}

}  // namespace

void when_display_gone(std::function<void()> last_words) {
  last_words_of_display() = {std::move(last_words), std::this_thread::get_id()};
  IoErrorHandler (*set_handler)(IoErrorHandler) = nullptr;
  SharedLibrary("libX11.so.6", SharedLibrary::Load::Never).find(set_handler, "XSetIOErrorHandler");
  if (!set_handler) return;
  set_handler(on_io_error);
  // What is written to the server that has gone must come back as an error. Not SIG_IGN, which other programs that are started inherit.
  std::signal(SIGPIPE, [](int) {});
}

}  // namespace tv
