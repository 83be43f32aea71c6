// Trace Event JSON for growth kinds: records are added one by one, and their common parts are filled in.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "tests/growth/stages.h"

namespace tv::test {

class TraceEvents {
 public:
  /// An X event. Times in microseconds.
  void slice(std::string_view name, std::size_t ts, std::size_t dur, std::size_t tid = 1, std::size_t pid = 1,
             std::string_view more = "") {
    add(fmt::format(R"({{"ph":"X","name":"{}","ts":{},"dur":{},"tid":{},"pid":{}{}}})", name, ts, dur, tid, pid, more));
  }
  /// Any other event: B, E, i, s, f, ...
  void event(char phase, std::string_view name, std::size_t ts, std::string_view more = "", std::size_t tid = 1,
             std::size_t pid = 1) {
    add(fmt::format(R"({{"ph":"{}","name":"{}","ts":{},"tid":{},"pid":{}{}}})", phase, name, ts, tid, pid, more));
  }
  void add(std::string_view record) {
    text_ += text_.empty() ? "[" : ",\n";
    text_ += record;
  }
  std::string text() const { return text_ + "]\n"; }

 private:
  std::string text_;
};

/// Work of a kind that is a file of trace events; `write` adds its n items.
inline std::function<void(Meter&, std::size_t)> events(std::function<void(TraceEvents& out, std::size_t n)> write) {
  return file("trace.json", [write = std::move(write)](std::size_t n) {
    TraceEvents out;
    write(out, n);
    return out.text();
  }, true);
}

}  // namespace tv::test
