#include "tests/support/trace_text.h"

#include <algorithm>
#include <string_view>

#include "core/store/trace/trace_dump.h"

namespace tv::test {

std::string trace_text(const Trace& trace) {
  std::string text;
  dump_trace(trace, [&](std::string_view line) { text += line; });
  return text;
}

std::string sorted_trace_text(const Trace& trace, std::vector<std::string> lines) {
  const std::string text = trace_text(trace);
  std::vector<std::string_view> all(lines.begin(), lines.end());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    all.push_back(std::string_view(text).substr(at, end - at));
    at = end + 1;
  }
  std::ranges::sort(all);
  std::string sorted;
  sorted.reserve(text.size() + 1);
  for (const std::string_view line : all) sorted.append(line).push_back('\n');
  return sorted;
}

}  // namespace tv::test
