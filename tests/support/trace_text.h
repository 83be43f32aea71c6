// A whole trace as text: two that give the same are the same to whoever looks at them.
#pragma once

#include <string>

#include "core/store/trace/trace_dump.h"

namespace tv::test {

inline std::string trace_text(const Trace& trace) {
  std::string text;
  dump_trace(trace, [&](std::string_view line) { text += line; });
  return text;
}

}  // namespace tv::test
