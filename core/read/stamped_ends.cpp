#include "core/read/stamped_ends.h"

#include <algorithm>

namespace tv {
namespace {

// The range in which the end of a chain's first line can lie.
struct Open {
  Ns least, most;
};

Open within(Ns stamp) { return {stamp, stamp + kSecond - 1}; }

}  // namespace

std::vector<Ns> stamped_ends(std::span<const StampedLine> lines) {
  std::vector<Ns> ends;
  ends.reserve(lines.size());
  if (std::ranges::any_of(lines, [](const StampedLine& line) { return line.stamp % kSecond != 0; })) {
    for (const StampedLine& line : lines) ends.push_back(line.stamp);
    return ends;
  }
  for (std::size_t first = 0, next = 0; first < lines.size(); first = next) {
    Open open = within(lines[first].stamp);
    Ns after = 0;  // time after the first line
    for (next = first + 1; next < lines.size() && lines[next].follows; ++next) {
      const Ns later = after + lines[next].length;
      const Open also = within(lines[next].stamp - later);
      if (also.least > open.most || also.most < open.least) break;
      open = {std::max(open.least, also.least), std::min(open.most, also.most)};
      after = later;
    }
    Ns end = open.least + (open.most - open.least + 1) / 2;
    // The chain must not begin before the previous one has ended, if its stamps allow that.
    if (!ends.empty()) end = std::max(end, std::min(open.most, ends.back() + lines[first].length));
    for (std::size_t line = first; line < next; ++line) {
      if (line > first) end += lines[line].length;
      ends.push_back(end);
    }
  }
  return ends;
}

}  // namespace tv
