#include "core/read/lines.h"

#include <doctest/doctest.h>

#include <vector>

#include "tests/io/memory_stream.h"
#include "tests/support/gen_trace.h"

using namespace tv;
using namespace tv::test;

namespace {

struct FoundLine {
  std::uint64_t offset;
  std::string text;
  bool ended;
  bool operator==(const FoundLine&) const = default;
};

std::vector<FoundLine> lines_of(const std::string& text, std::size_t step) {
  MemoryStream stream(text);
  TextFeed feed(stream, step);
  Lines lines(feed);
  std::vector<FoundLine> out;
  for (;;) {
    const auto line = lines.next();
    REQUIRE(line.ok());
    if (!line.value()) return out;
    out.push_back({line.value()->offset, std::string(line.value()->text), line.value()->ended});
  }
}

}  // namespace

TEST_CASE("lines: a byte order mark is not part of the first line") {
  using Lines = std::vector<FoundLine>;
  for (const std::size_t step : {1, 2, 3, 16}) {
    CAPTURE(step);
    CHECK(lines_of("\xef\xbb\xbf{}\nb\n", step) == Lines{{3, "{}", true}, {6, "b", true}});
    CHECK(lines_of("a\n\xef\xbb\xbf{}\n", step) == Lines{{0, "a", true}, {2, "\xef\xbb\xbf{}", true}});
    CHECK(lines_of("\xef\xbb\xbf", step) == Lines{});
  }
}

TEST_CASE("lines: line ends, with or without carriage returns, and trailing blanks are removed") {
  using Lines = std::vector<FoundLine>;
  CHECK(lines_of("", 16) == Lines{});
  CHECK(lines_of("\n", 16) == Lines{{0, "", true}});
  CHECK(lines_of("a\nb", 16) == Lines{{0, "a", true}, {2, "b", false}});
  CHECK(lines_of("a\r\n\r\n  b \t\r\n", 16) == Lines{{0, "a", true}, {3, "", true}, {5, "  b", true}});
  CHECK(lines_of("a\rb\n", 16) == Lines{{0, "a\rb", true}});
  CHECK(lines_of("   ", 16) == Lines{{0, "", false}});
  CHECK(lines_of(std::string("a\0b\n", 4), 16) == Lines{{0, std::string("a\0b", 3), true}});
}

TEST_CASE("lines: random texts give the expected lines for every window size") {
  for (const std::uint64_t seed : seeds(100)) {
    CAPTURE(seed);
    Random random(seed);
    std::string text;
    std::vector<FoundLine> expected;
    for (std::int64_t i = random.in(0, 30); i > 0; --i) {
      const std::string line(static_cast<std::size_t>(random.chance(0.1) ? random.in(0, 3000) : random.in(0, 20)), 'x');
      const bool ended = i > 1 || random.chance(0.5);
      if (line.empty() && !ended) break;  // nothing at all
      expected.push_back({text.size(), line, ended});
      text += line + (ended ? random.chance(0.3) ? "\r\n" : "\n" : "");
    }
    for (const std::size_t step : {1, 2, 7, 64, 1000, 100'000}) {
      CAPTURE(step);
      REQUIRE(lines_of(text, step) == expected);
    }
  }
}
