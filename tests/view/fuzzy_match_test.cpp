#include "core/view/menus/fuzzy_match.h"

#include <doctest/doctest.h>

#include <random>
#include <string>

namespace tv {
namespace {

// Brute force: tries every way to match the letters.
void all_ways(std::u32string_view typed, std::u32string_view text, std::vector<std::uint32_t>& at, std::optional<int>& best) {
  const auto small = [](char32_t c) { return c >= U'A' && c <= U'Z' ? c + 32 : c; };
  if (at.size() == typed.size()) {
    const int score = fuzzy_score(text, at);
    if (!best || score > *best) best = score;
    return;
  }
  for (std::uint32_t i = at.empty() ? 0 : at.back() + 1; i < text.size(); ++i) {
    if (small(text[i]) != small(typed[at.size()])) continue;
    at.push_back(i);
    all_ways(typed, text, at, best);
    at.pop_back();
  }
}

}  // namespace

TEST_CASE("fuzzy match: the score equals the best of a brute-force search") {
  for (std::uint32_t seed = 1; seed <= 600; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    const std::string_view alphabet = "abAB 1_a";
    std::string text, typed;
    for (std::uint_fast32_t i = random() % (seed % 10 == 0 ? 30 : 13); i > 0; --i) text += alphabet[random() % alphabet.size()];
    for (std::uint_fast32_t i = 1 + random() % 4; i > 0; --i) typed += "abAB1"[random() % 5];
    CAPTURE(text);
    CAPTURE(typed);
    const std::u32string wide_text(text.begin(), text.end()), wide_typed(typed.begin(), typed.end());
    std::vector<std::uint32_t> at;
    std::optional<int> best;
    all_ways(wide_typed, wide_text, at, best);
    const auto match = fuzzy_match(typed, text);
    REQUIRE(match.has_value() == best.has_value());
    if (!match) continue;
    CHECK(match->score == *best);
    CHECK(fuzzy_score(wide_text, match->letters) == *best);  // the highlighted letters give that score
    CHECK(match->letters.size() == typed.size());
  }
}

TEST_CASE("fuzzy match: the command that a user more likely means has the higher score") {
  const auto better = [](std::string_view typed, std::string_view first, std::string_view second) {
    const auto a = fuzzy_match(typed, first), b = fuzzy_match(typed, second);
    REQUIRE(a);
    return !b || a->score > b->score;
  };
  CHECK(better("fs", "Fit the selection", "Offsets"));
  CHECK(better("fit", "Fit everything", "Find a lane by its name, if there is one at it"));
  CHECK(better("flow", "Flow back", "Folded rows of what"));
  CHECK(better("gb", "GoBack", "Bigbang"));
  CHECK_FALSE(fuzzy_match("xyz", "Fit everything"));
  CHECK(fuzzy_match("", "anything")->score == 0);
}

TEST_CASE("fuzzy match: words match in any order, but the letters of a word only in theirs") {
  const auto match = fuzzy_match("sel fit", "Fit the selection");
  REQUIRE(match);
  CHECK(match->letters == std::vector<std::uint32_t>{0, 1, 2, 8, 9, 10});
  const auto chinese = fuzzy_match("训练", "rank 3 训练线程");
  REQUIRE(chinese);
  CHECK(chinese->letters == std::vector<std::uint32_t>{7, 10});
  CHECK_FALSE(fuzzy_match("线训", "训练线"));
  CHECK(fuzzy_match("\xff", "a\xff") != std::nullopt);  // names may hold anything
}

}  // namespace tv
