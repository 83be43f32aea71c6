#include "core/export/parts/ordered_writer.h"

#include <doctest/doctest.h>

#include <stdexcept>

#include "tests/support/gen_trace.h"

using namespace tv;
using namespace tv::test;

TEST_SUITE("concurrent") {
  TEST_CASE("ordered writer: pieces of any size are written in order") {
    std::string written, expected;
    const ExportSink sink = [&](std::string_view bytes) {
      written += bytes;
      return Result<void>();
    };
    OrderedWriter writer(test_pool(), sink);
    for (int i = 0; i < 500; ++i) {
      const std::string piece(static_cast<std::size_t>(i * 37 % 1000), static_cast<char>('a' + i % 26));
      expected += piece;
      REQUIRE(writer.add([piece](std::string& out) { out += piece; }).ok());
    }
    REQUIRE(writer.finish().ok());
    CHECK(written == expected);
    CHECK(writer.bytes() == expected.size());
  }

  TEST_CASE("ordered writer: errors of the sink and exceptions of a piece reach the caller") {
    const ExportSink full = [](std::string_view) -> Result<void> { return Error{"full", {}, {}, {}}; };
    OrderedWriter writer(test_pool(), full);
    Result<void> last;
    for (int i = 0; i < 100 && last; ++i) last = writer.add([](std::string& out) { out += "x"; });
    CHECK(!last.ok());

    const ExportSink nowhere = [](std::string_view) { return Result<void>(); };
    OrderedWriter broken(test_pool(), nowhere);
    REQUIRE(broken.add([](std::string&) { throw std::runtime_error("no memory"); }).ok());
    CHECK_THROWS(static_cast<void>(broken.finish()));
  }
}
