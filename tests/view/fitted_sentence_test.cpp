#include "core/view/words/fitted_sentence.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "core/base/text/utf8.h"
#include "tests/support/gen_trace.h"

namespace tv {
namespace {

std::size_t letters_in(std::string_view text) {
  std::size_t n = 0;
  for (; !text.empty(); ++n) text.remove_prefix(std::max<std::size_t>(1, utf8_length(text)));
  return n;
}

std::string in_letters(std::string_view sentence, std::size_t room) {
  return fitted_sentence(sentence, [room](std::string_view text) { return letters_in(text) <= room; });
}

constexpr std::string_view kIdle = "Idle most of all run/rank_0.1773709723.json, GPU 2.";

}  // namespace

TEST_CASE("fitted_sentence: a sentence that fits is unchanged") {
  CHECK(in_letters(kIdle, 51) == kIdle);
  CHECK(in_letters("", 0) == "");
}

TEST_CASE("fitted_sentence: a long name is cut in the middle, no more than necessary, and keeps its end") {
  CHECK(in_letters(kIdle, 50) == "Idle most of all run/rank_0.17…709723.json, GPU 2.");
  CHECK(in_letters(kIdle, 36) == "Idle most of all run/ra…json, GPU 2.");
  CHECK(in_letters("größer als würfel/größenordnung.json", 30) == "größer als würfel/gr…nung.json");
}

TEST_CASE("fitted_sentence: a sentence that still does not fit ends after a whole word") {
  CHECK(in_letters(kIdle, 35) == "Idle most of all run/ra…json, GPU…");
  CHECK(in_letters(kIdle, 12) == "Idle most…");
  CHECK(in_letters(kIdle, 3) == "…");
  CHECK(in_letters(kIdle, 0) == "");
}

TEST_CASE("fitted_sentence: the result always fits, and more room never shows less") {
  for (const std::uint64_t seed : test::seeds(200)) {
    CAPTURE(seed);
    test::Random random(seed);
    std::string sentence;
    for (auto n = random.in(0, 12); n > 0; --n) {
      sentence += std::string(static_cast<std::size_t>(random.in(0, 30)), 'a') + (random.chance(0.3) ? "ö " : " ");
    }
    std::size_t shown = 0;
    for (std::size_t room = 0; room <= sentence.size(); ++room) {
      const std::size_t length = letters_in(in_letters(sentence, room));
      CHECK(length <= room);
      CHECK(length >= shown);
      shown = length;
    }
    CHECK(in_letters(sentence, sentence.size()) == sentence);
  }
}

}  // namespace tv
