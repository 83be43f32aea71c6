#include <doctest/doctest.h>

#include "core/io/streams/text_streams.h"
#include "tests/io/archives.h"
#include "tests/io/memory_stream.h"

using namespace tv;
using namespace tv::test;

namespace {

struct Inflated {
  std::string text, damage;
  std::uint64_t consumed = 0;
  bool operator==(const Inflated&) const = default;
};

Inflated inflate(const std::string& bytes, std::size_t piece_out = 1 << 16, std::size_t piece_in = SIZE_MAX) {
  const auto stream = make_gzip_stream(std::make_unique<MemoryStream>(bytes, piece_in));
  std::string text = all_of(*stream, piece_out);
  return {std::move(text), stream->damage(), stream->consumed()};
}

}  // namespace

TEST_CASE("gzip: one member inflates with input and output pieces of any size") {
  for (const std::size_t bytes : {0, 1, 100, 50'000}) {
    const std::string text = some_text(bytes), packed = gzipped(text);
    for (const std::size_t out : kPieces) {
      for (const std::size_t in : {std::size_t{1}, std::size_t{7}, SIZE_MAX}) {
        CAPTURE(bytes);
        CAPTURE(out);
        CAPTURE(in);
        CHECK(inflate(packed, out, in) == Inflated{text, "", packed.size()});
      }
    }
  }
}

TEST_CASE("gzip: several members are joined, also empty ones, and zeros after each are ignored") {
  const std::string a = some_text(5000, 1), b = some_text(3000, 2);
  const std::string members = gzipped(a) + gzipped("") + gzipped(b) + gzipped("");
  for (const std::size_t piece : kPieces) {
    CAPTURE(piece);
    CHECK(inflate(members, piece).text == a + b);
    CHECK(inflate(members, piece).damage == "");
    for (const std::size_t zeros : {1, 512, 700'000}) {
      const Inflated padded = inflate(members + std::string(zeros, '\0'), piece);
      CHECK(padded.text == a + b);
      CHECK(padded.damage == "");
      const std::string padding(zeros, '\0');
      const Inflated between = inflate(gzipped(a) + padding + gzipped(b) + padding, piece);
      CHECK(between.text == a + b);
      CHECK(between.damage == "");
      const Inflated other = inflate(gzipped(a) + padding + "other data", piece);
      CHECK(other.text == a);
      CHECK(other.damage == "other data follows the gzip data");
    }
  }
}

TEST_CASE("gzip: truncated data gives the readable part and is reported") {
  const std::string text = some_text(60'000), packed = gzipped(text);
  std::size_t before = 0;
  for (std::size_t i = 0; i < 50; ++i) {
    const std::string cut = packed.substr(0, packed.size() * i / 50);
    CAPTURE(cut.size());
    const Inflated found = inflate(cut);
    CHECK(found.damage == "the gzip data ends early");
    CHECK(text.starts_with(found.text));
    CHECK(found.text.size() >= before);  // more of the file never gives less
    before = found.text.size();
    for (const std::size_t piece : {1, 64, 1000}) {
      CAPTURE(piece);
      CHECK(inflate(cut, piece) == found);
      CHECK(inflate(cut, piece, 7) == found);
    }
  }
  CHECK(before > text.size() * 9 / 10);
  // Only the trailer, or a part of it, is missing, so all of the text is there.
  for (std::size_t lost = 1; lost <= 8; ++lost) {
    const Inflated found = inflate(packed.substr(0, packed.size() - lost));
    CHECK(found.text == text);
    CHECK(found.damage == "the gzip data ends early");
  }
}

TEST_CASE("gzip: a truncated second member does not affect the first") {
  const std::string a = some_text(5000, 1), b = some_text(5000, 2);
  const std::string second = gzipped(b);
  for (const std::size_t kept : {std::size_t{1}, std::size_t{5}, std::size_t{10}, second.size() / 2, second.size() - 1}) {
    CAPTURE(kept);
    const Inflated found = inflate(gzipped(a) + second.substr(0, kept));
    CHECK(found.text.starts_with(a));
    CHECK((a + b).starts_with(found.text));
    CHECK(found.damage == "the gzip data ends early");
  }
}

TEST_CASE("gzip: other data after the last member is reported, not read") {
  const std::string text = some_text(2000);
  for (const std::string after : {"garbage", "{}", "\x01", "PK\x03\x04"}) {
    const Inflated found = inflate(gzipped(text) + after);
    CHECK(found.text == text);
    CHECK(found.damage == "other data follows the gzip data");
  }
  const Inflated half = inflate(gzipped(text) + "\x1f garbage that goes on and on");
  CHECK(half.text == text);
  CHECK(half.damage == "the gzip data is damaged");
}

TEST_CASE("gzip: a changed byte is reported unless it does not affect the text") {
  const std::string text = some_text(500), packed = gzipped(text);
  std::size_t noticed = 0;
  for (std::size_t at = 0; at < packed.size(); ++at) {
    for (const int bit : {1, 16, 128}) {
      std::string flipped = packed;
      flipped[at] = static_cast<char>(flipped[at] ^ bit);
      const Inflated found = inflate(flipped, 64);
      CAPTURE(at);
      CAPTURE(bit);
      CHECK(found.text.size() <= 600'000);
      // Given small pieces of input, the inflater returns more text before it notices damage. The stream's result must still be
      // the same.
      CHECK(inflate(flipped, 64, 7) == found);
      // Some bits do not affect the text: time and system in the header, unused codes.
      if (found.damage.empty()) CHECK(found.text == text);
      noticed += found.damage.empty() ? 0 : 1;
    }
  }
  CHECK(noticed > 3 * packed.size() * 9 / 10);
}
