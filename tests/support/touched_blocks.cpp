#include "tests/support/touched_blocks.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <stdexcept>

namespace tv::test {

// Used by the signal handler: nothing in it allocates.
struct TouchedBlocks::State {
  static constexpr std::size_t kMost = 256;
  std::array<std::atomic<std::uintptr_t>, kMost> first{}, last{};  // a handler may still run on another thread
  std::atomic<std::size_t> ranges{0}, touched{0};
  std::atomic<long> thread{0};
  struct sigaction before {};

  void not_ours(siginfo_t* info, void* context) const {
    if ((before.sa_flags & SA_SIGINFO) != 0) {
      before.sa_sigaction(SIGSEGV, info, context);
    } else {
      ::sigaction(SIGSEGV, &before, nullptr);  // the fault repeats with the previous handler
    }
  }
};

namespace {

long this_thread() { return ::syscall(SYS_gettid); }

void protect(std::uintptr_t first, std::uintptr_t last, int how) { ::mprotect(reinterpret_cast<void*>(first), last - first, how); }

}  // namespace

TouchedBlocks::State& TouchedBlocks::state() {
  static State of_all;
  return of_all;
}

// Set only between begin() and end(). mapped_file.h handles the same signal, and the handler that was installed last runs first.
void TouchedBlocks::listen() {
  struct sigaction action {};
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  action.sa_sigaction = [](int, siginfo_t* info, void* context) {
    State& of = state();
    const auto at = reinterpret_cast<std::uintptr_t>(info->si_addr);
    for (std::size_t r = 0; r < of.ranges; ++r) {
      if (at < of.first[r] || at >= of.last[r]) continue;
      const std::uintptr_t block = at - (at - of.first[r]) % kBlock;
      protect(block, std::min(block + kBlock, of.last[r].load()), PROT_READ);
      if (this_thread() == of.thread) ++of.touched;
      return;
    }
    of.not_ours(info, context);
  };
  ::sigaction(SIGSEGV, &action, &state().before);
}

TouchedBlocks::~TouchedBlocks() { forget_all(); }

void TouchedBlocks::watch(std::span<const std::byte> memory) {
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const auto begin = reinterpret_cast<std::uintptr_t>(memory.data()), end = begin + memory.size();
  const std::uintptr_t first = (begin + page - 1) / page * page, last = end / page * page;
  if (first >= last) return;
  State& of = state();
  if (of.ranges == State::kMost) throw std::length_error("too many ranges are watched");
  of.first[of.ranges] = first;
  of.last[of.ranges] = last;
  ++of.ranges;
}

void TouchedBlocks::forget_all() {
  State& of = state();
  for (std::size_t r = 0; r < of.ranges; ++r) protect(of.first[r], of.last[r], PROT_READ);
  of.ranges = 0;
}

std::size_t TouchedBlocks::watched() const {
  const State& of = state();
  std::size_t blocks = 0;
  for (std::size_t r = 0; r < of.ranges; ++r) blocks += (of.last[r] - of.first[r] + kBlock - 1) / kBlock;
  return blocks;
}

void TouchedBlocks::begin() {
  State& of = state();
  of.touched = 0;
  of.thread = this_thread();
  listen();
  for (std::size_t r = 0; r < of.ranges; ++r) protect(of.first[r], of.last[r], PROT_NONE);
}

std::size_t TouchedBlocks::end() {
  State& of = state();
  of.thread = 0;
  for (std::size_t r = 0; r < of.ranges; ++r) protect(of.first[r], of.last[r], PROT_READ);
  ::sigaction(SIGSEGV, &of.before, nullptr);
  return of.touched;
}

}  // namespace tv::test
