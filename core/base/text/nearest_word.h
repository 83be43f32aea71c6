// "Did you mean ...?": finds the known word that the user most likely meant.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tv {

/// The number of letters that were added, left out, mistaken, or exchanged with their neighbour (optimal string alignment
/// distance).
inline std::size_t slips_between(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] != b[j - 1] ? 1 : 0)});
      const bool exchanged = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (exchanged) d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  }
  return d[a.size()][b.size()];
}

/// The known word with the fewest slips: at most a third of its letters, or one in a word of up to three letters. Empty if there is
/// no such word.
inline std::string nearest_word(std::string_view word, const std::vector<std::string>& known) {
  if (word.size() > 64) return {};
  std::string best;
  std::size_t least = SIZE_MAX;
  for (const std::string& candidate : known) {
    const std::size_t slips = slips_between(word, candidate);
    if (slips >= least || 3 * slips > std::max<std::size_t>(candidate.size(), 3)) continue;
    least = slips;
    best = candidate;
  }
  return best;
}

}  // namespace tv
