// Which of many titles is meant by a few typed letters: "fits" finds "Fit the selection". All letters must be there
// in order. Of all ways to find them the best counts: letters in a row, at the begin of a word or of a hump ("FlowBack"), early.
// Words separated by spaces are searched one by one, in any order. Small and capital ASCII letters are the same; all
// others must be equal, so Chinese is found as it is written.
//
// Cost: letters typed x letters of the text; nothing where a letter is missing.
// Source: the bonuses are those of fzf (junegunn/fzf, src/algo/algo.go), the search is the same dynamic programme.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace tv {

struct FuzzyMatch {
  int score = 0;
  std::vector<std::uint32_t> letters;  ///< bytes of the text at which the letters that matched begin, rising
};

/// None: the text does not match. Nothing typed matches everything, with 0.
std::optional<FuzzyMatch> fuzzy_match(std::string_view typed, std::string_view text);

/// The score of one way of finding the letters: for the search, and for tests of it. `at`: of each typed letter, rising.
int fuzzy_score(std::u32string_view text, const std::vector<std::uint32_t>& at);

}  // namespace tv
