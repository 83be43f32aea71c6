// A whole trace as text: two that give the same are the same to whoever looks at them.
#pragma once

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "core/store/trace/trace_dump.h"

namespace tv::test {

inline std::string trace_text(const Trace& trace) {
  std::string text;
  dump_trace(trace, [&](std::string_view line) { text += line; });
  return text;
}

/// Its lines and these, in an order of their own: two that give the same have the same in them, in whatever order.
inline std::string sorted_trace_text(const Trace& trace, std::vector<std::string> lines = {}) {
  std::istringstream text(trace_text(trace));
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  std::ranges::sort(lines);
  std::string all;
  for (const std::string& line : lines) all += line + "\n";
  return all;
}

}  // namespace tv::test
