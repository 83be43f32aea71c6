#include "core/io/streams/text_feed.h"

#include <doctest/doctest.h>

#include <vector>

#include "tests/io/archives.h"
#include "tests/io/memory_stream.h"

using namespace tv;
using namespace tv::test;

TEST_CASE("text_feed: windows show the text of the stream, whatever part is kept") {
  for (const std::uint64_t seed : seeds(300)) {
    CAPTURE(seed);
    Random random(seed);
    const std::string text = some_text(static_cast<std::size_t>(random.in(0, 3000)), seed);
    MemoryStream stream(text, static_cast<std::size_t>(random.in(1, 500)));
    const auto step = static_cast<std::size_t>(random.in(1, 1000));
    TextFeed feed(stream, step);
    std::vector<TextWindow> windows(1);
    for (int i = 0; i < 5000 && !windows.back().last; ++i) {
      const TextWindow before = windows.back();
      // All of it, nothing of it, or something in between.
      const auto kept = static_cast<std::size_t>(random.chance(0.3) ? 0 : random.in(0, static_cast<std::int64_t>(before.text.size())));
      auto more = feed.more(before.end() - kept);
      REQUIRE(more.ok());
      windows.push_back(*more);
      const TextWindow& now = windows.back();
      REQUIRE(now.offset == before.end() - kept);
      REQUIRE(now.text == std::string_view(text).substr(now.offset, now.text.size()));
      REQUIRE(now.last == (now.end() == text.size() && now.text.size() - kept < std::max(step, kept)));
      if (!now.last) REQUIRE(now.text.size() - kept == std::max(step, kept));
    }
    REQUIRE(windows.back().last);
    REQUIRE(windows.back().end() == text.size());
    for (const TextWindow& window : windows) {  // earlier windows are unchanged
      REQUIRE(window.text == std::string_view(text).substr(window.offset, window.text.size()));
    }
  }
}

TEST_CASE("text_feed: the first window is small, and the others have the requested size") {
  constexpr std::size_t kMiB = 1 << 20, kStep = 3 * kMiB;
  const std::string text = some_text(8 * kMiB, 1);
  MemoryStream stream(text, kMiB);
  TextFeed feed(stream, kStep);
  std::size_t end = 0;
  for (const std::size_t fresh : {kMiB, kStep, kStep, kMiB}) {
    const auto window = feed.more(end);
    REQUIRE(window.ok());
    CHECK(window.value().text == std::string_view(text).substr(end, fresh));
    end += fresh;
    CHECK(window.value().last == (end == text.size()));
  }
}

TEST_CASE("text_feed: repeated calls at the end give no more text") {
  MemoryStream stream("abc");
  TextFeed feed(stream, 16);
  const auto first = feed.more(0);
  REQUIRE(first.ok());
  CHECK(first.value().text == "abc");
  CHECK(first.value().last);
  for (int i = 0; i < 3; ++i) {
    const auto again = feed.more(1);
    REQUIRE(again.ok());
    CHECK(again.value().text == "bc");
    CHECK(again.value().offset == 1);
    CHECK(again.value().last);
  }
}

TEST_CASE("text_feed: one huge record costs linear time") {
  const std::string text(1 << 20, 'x');
  MemoryStream stream(text);
  TextFeed feed(stream, 16);
  std::size_t windows = 0, copied = 0;
  for (bool last = false; !last; ++windows) {
    const auto window = feed.more(0);
    REQUIRE(window.ok());
    copied += window.value().text.size();
    last = window.value().last;
  }
  CHECK(windows < 20);
  CHECK(copied < 4 * text.size());
}

TEST_CASE("text_feed: an error of the stream is passed on") {
  class Broken : public ByteStream {
   public:
    Result<std::size_t> read(std::span<char>) override { return Error{"the disk is gone", "x", {}, {}}; }
    std::uint64_t consumed() const override { return 0; }
  };
  Broken stream;
  TextFeed feed(stream, 16);
  const auto window = feed.more(0);
  REQUIRE(!window.ok());
  CHECK(window.error().message == "the disk is gone");
}

TEST_CASE("text_feed: the text of a window is followed by a zero and readable padding") {
  const std::string text(100, 'x');
  MemoryStream stream(text);
  TextFeed feed(stream, 16);
  std::uint64_t at = 0;
  for (bool last = false; !last;) {
    const auto window = feed.more(at);
    REQUIRE(window.ok());
    const char* const end = window.value().text.data() + window.value().text.size();
    CHECK(*end == '\0');
    std::string padding(end, kTextPadding);  // lets the sanitizer check the reads
    CHECK(padding.size() == kTextPadding);
    at = window.value().end() - (window.value().last ? 0 : 3);
    last = window.value().last;
  }
}
