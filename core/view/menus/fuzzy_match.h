// Finds the titles meant by a few typed letters: "fits" finds "Fit the selection". All letters must occur in order. The best of
// all ways to match them counts: letters in a row, at the beginning of a word or of a hump ("FlowBack"), early in the text. Words
// separated by spaces are searched one by one, in any order. Case of ASCII letters does not matter; all other letters must be
// equal, so Chinese is found as written.
//
// Cost: letters typed x letters of the text; nothing if a letter is missing. Source: bonuses and the dynamic programming search are
// those of fzf (junegunn/fzf, src/algo/algo.go).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace tv {

struct FuzzyMatch {
  int score = 0;
  std::vector<std::uint32_t> letters;  ///< byte offsets of the matched letters in the text, ascending
};

/// None: the text does not match. An empty query matches everything, with score 0.
std::optional<FuzzyMatch> fuzzy_match(std::string_view typed, std::string_view text);

/// The score of one way to match the letters: for the search and its tests. `at`: the position of each typed letter, ascending.
int fuzzy_score(std::u32string_view text, const std::vector<std::uint32_t>& at);

}  // namespace tv
