// Trace files of any size, and waiting for other threads.
#pragma once

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "core/session/load/load_job.h"
#include "core/session/packed/packed_trace.h"
#include "core/store/trace/trace.h"
#include "tests/support/gen_trace.h"

namespace tv::test {

inline std::string event(std::string_view name, std::int64_t ts_us, std::int64_t dur_us, int tid = 2) {
  return R"({"ph":"X","name":")" + std::string(name) + R"(","pid":1,"tid":)" + std::to_string(tid) + R"(,"ts":)" +
         std::to_string(ts_us) + R"(,"dur":)" + std::to_string(dur_us) + "}";
}

/// An array of events op0, op1, ... of 5 µs, 10 µs apart; at least `bytes` long.
inline std::string long_trace(std::size_t bytes, std::size_t* events = nullptr) {
  std::string text = "[";
  std::size_t n = 0;
  while (text.size() < bytes) {
    text += (n ? ",\n" : "") + event("op" + std::to_string(n % 100), static_cast<std::int64_t>(10 * n), 5,
                                     static_cast<int>(n % 3));
    ++n;
  }
  if (events) *events = n;
  return text + "]\n";
}

/// Waits for a condition that another thread fulfils. Only broken code takes a minute.
inline void wait_until(const std::function<bool()>& condition) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (!condition()) {
    REQUIRE(std::chrono::steady_clock::now() < deadline);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

/// The first slice of this name.
inline SliceId slice_named(const Trace& trace, std::string_view name) {
  for (const SliceId slice : trace.ids()) {
    if (trace.name_of(slice) == name) return slice;
  }
  return kNone<SliceId>;
}

inline std::string name_of(const Trace& trace, SliceId slice) {
  return slice == kNone<SliceId> ? "none" : std::string(trace.name_of(slice));
}

/// Packs these files, and returns the path of the packed trace.
inline std::string packed(const std::vector<std::string>& files, const std::string& path) {
  std::atomic<std::uint64_t> done = 0;
  REQUIRE(pack_trace(*load_snapshot(files, test_pool())->trace, path, test_pool(), done).ok());
  return path;
}

}  // namespace tv::test
