#include "core/read/stamped_ends.h"

#include <algorithm>

namespace tv {
namespace {

// The range in which the end of a chain's first line can lie.
struct EndRange {
  Ns least, most;
};

EndRange within_second(Ns stamp) { return {stamp, stamp + kSecond - 1}; }

}  // namespace

std::vector<Ns> stamped_ends(std::span<const StampedLine> lines) {
  std::vector<Ns> ends;
  ends.reserve(lines.size());
  if (std::ranges::any_of(lines, [](const StampedLine& line) { return line.stamp % kSecond != 0; })) {
    for (const StampedLine& line : lines) ends.push_back(line.stamp);
    return ends;
  }
  for (std::size_t first = 0, next = 0; first < lines.size(); first = next) {
    EndRange range = within_second(lines[first].stamp);
    Ns after = 0;  // from the end of the chain's first line to that of its last
    for (next = first + 1; next < lines.size() && lines[next].follows; ++next) {
      const Ns later = after + lines[next].length;
      const EndRange by_next = within_second(lines[next].stamp - later);
      if (by_next.least > range.most || by_next.most < range.least) break;
      range = {std::max(range.least, by_next.least), std::min(range.most, by_next.most)};
      after = later;
    }
    Ns end = range.least + (range.most - range.least + 1) / 2;
    // The chain must not begin before the previous one has ended, if its stamps allow that.
    if (!ends.empty()) end = std::max(end, std::min(range.most, ends.back() + lines[first].length));
    for (std::size_t line = first; line < next; ++line) {
      if (line > first) end += lines[line].length;
      ends.push_back(end);
    }
  }
  return ends;
}

}  // namespace tv
