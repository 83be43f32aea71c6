#include "app/interrupt_watch.h"

#include <signal.h>

#include <csignal>

namespace tv {
namespace {

volatile std::sig_atomic_t interrupted = 0;
struct sigaction before_int {
}, before_term{};

}  // namespace

InterruptWatch::InterruptWatch() {
  struct sigaction action {};
  action.sa_handler = [](int) { interrupted = 1; };
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  ::sigaction(SIGINT, &action, &before_int);
  ::sigaction(SIGTERM, &action, &before_term);
}

InterruptWatch::~InterruptWatch() {
  ::sigaction(SIGINT, &before_int, nullptr);
  ::sigaction(SIGTERM, &before_term, nullptr);
}

bool was_interrupted() { return interrupted != 0; }

}  // namespace tv
