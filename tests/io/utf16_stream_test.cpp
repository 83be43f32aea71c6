#include <doctest/doctest.h>

#include "core/io/files/open_stream.h"
#include "core/io/streams/text_streams.h"
#include "tests/io/archives.h"
#include "tests/io/memory_stream.h"
#include "tests/support/temp_dir.h"

using namespace tv;
using namespace tv::test;

namespace {

std::string encoded(std::u16string_view text, bool big_endian) {
  std::string bytes;
  for (const char16_t unit : text) {
    const char low = static_cast<char>(unit & 0xFF), high = static_cast<char>(unit >> 8);
    bytes += big_endian ? high : low;
    bytes += big_endian ? low : high;
  }
  return bytes;
}

std::string decoded(const std::string& bytes, bool big_endian, std::size_t piece_out, std::size_t piece_in = SIZE_MAX) {
  const auto stream =
      make_utf16_stream(std::make_unique<MemoryStream>(bytes, piece_in), big_endian ? "UTF-16BE" : "UTF-16LE");
  return all_of(*stream, piece_out);
}

}  // namespace

TEST_CASE("utf16: characters of one to four UTF-8 bytes are decoded, in pieces of any size") {
  const std::u16string text = u"{\"name\":\"größe 前 🚀\"}\r\n";
  const std::string expected = "{\"name\":\"größe 前 🚀\"}\r\n";
  for (const bool big_endian : {false, true}) {
    for (const std::size_t out : kPieces) {
      for (const std::size_t in : {std::size_t{1}, std::size_t{3}, SIZE_MAX}) {
        CAPTURE(out);
        CAPTURE(in);
        CHECK(decoded(encoded(text, big_endian), big_endian, out, in) == expected);
      }
    }
  }
}

TEST_CASE("utf16: surrogate pairs are decoded across buffer boundaries") {
  for (const std::size_t before : {0, 1, 32'766, 32'767, 32'768, 65'535}) {
    CAPTURE(before);
    const std::string bytes = encoded(std::u16string(before, u'x') + u"🚀🚀前", false);
    CHECK(decoded(bytes, false, 1 << 20) == std::string(before, 'x') + "🚀🚀前");
    CHECK(decoded(bytes, false, 1000, 4095) == std::string(before, 'x') + "🚀🚀前");
  }
}

TEST_CASE("utf16: long texts without ASCII are decoded in full") {
  std::u16string text;
  std::string expected;
  for (int i = 0; i < 200'000; ++i) {
    text += i % 7 ? u"前" : u"é🚀";
    expected += i % 7 ? "前" : "é🚀";
  }
  for (const std::size_t piece : {4096, 1 << 20, 8 << 20}) CHECK(decoded(encoded(text, true), true, piece) == expected);
}

TEST_CASE("utf16: lone surrogates become U+FFFD, and half a unit at the end is dropped") {
  const std::u16string lone = {u'a', 0xD83D, u'b', 0xDE80, u'c'};
  CHECK(decoded(encoded(lone, false), false, 64) == "a\uFFFDb\uFFFDc");
  CHECK(decoded(encoded(u"ab", false) + "c", false, 64) == "ab");
  const std::u16string many(100'000, 0xDC00);
  std::string expected;
  for (int i = 0; i < 100'000; ++i) expected += "\uFFFD";
  CHECK(decoded(encoded(many, false), false, 1000) == expected);
}

TEST_CASE("utf16: a file is recognised by its byte order mark and read at any offset") {
  const TempDir folder;
  const std::string text = "\uFEFF[前前前,\"x\"]";
  for (const bool big_endian : {false, true}) {
    const std::string path = folder.write("a.json", encoded(u"\uFEFF[前前前,\"x\"]", big_endian));
    for (std::size_t offset = 0; offset <= text.size(); ++offset) {
      CAPTURE(offset);
      for (const std::size_t length : {1, 2, 5, 100}) {
        const auto found = read_text_at(path, offset, length);
        REQUIRE(found.ok());
        CHECK(found.value() == text.substr(offset, length));
      }
    }
  }
}
