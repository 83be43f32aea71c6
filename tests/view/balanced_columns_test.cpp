#include "core/view/keys/balanced_columns.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "tests/support/gen_trace.h"

using namespace tv;
using namespace tv::test;

namespace {

// Brute force: the least height for splitting the lines from `first` on into this many columns.
float lowest(const std::vector<FlowedLine>& lines, std::size_t first, std::size_t columns) {
  if (first == lines.size()) return 0;
  if (columns == 0) return 1e9f;
  float best = 1e9f, height = 0;
  for (std::size_t end = first + 1; end <= lines.size(); ++end) {
    height += lines[end - 1].height;
    if (end < lines.size() && lines[end - 1].heads_next) continue;
    best = std::min(best, std::max(height, lowest(lines, end, columns - 1)));
  }
  return best;
}

}  // namespace

TEST_CASE("balanced_columns: columns are as short as possible, and a heading stays with the next line") {
  for (const std::uint64_t seed : seeds(60)) {
    CAPTURE(seed);
    Random random(seed);
    std::vector<FlowedLine> lines;
    for (std::int64_t n = random.in(0, 9); n > 0; --n) {
      lines.push_back({static_cast<float>(random.in(1, 30)), random.chance(0.3)});
    }
    const auto columns = static_cast<std::size_t>(random.in(1, 4));
    const FlowedColumns found = balanced_columns(lines, columns);
    REQUIRE(found.first.size() <= columns);
    float highest = 0;
    for (std::size_t c = 0; c < found.first.size(); ++c) {
      const std::size_t end = c + 1 < found.first.size() ? found.first[c + 1] : lines.size();
      REQUIRE(found.first[c] < end);
      if (end < lines.size()) REQUIRE(!lines[end - 1].heads_next);
      float height = 0;
      for (std::size_t i = found.first[c]; i < end; ++i) height += lines[i].height;
      highest = std::max(highest, height);
    }
    CHECK(found.first.empty() == lines.empty());
    CHECK(found.height == highest);
    CHECK(found.height <= lowest(lines, 0, columns) + 0.5f);
  }
}
