#include "core/view/menus/fuzzy_match.h"

#include <algorithm>
#include <limits>
#include <string>

namespace tv {
namespace {

constexpr int kLetter = 16, kInARow = 12, kWordBegin = 10, kHump = 9, kTextBegin = 4;
constexpr int kGapBegin = 3, kGapLetter = 1, kMostGap = 12;
constexpr std::size_t kFar = kMostGap;  // gaps of this many letters or more cost the most
constexpr int kNowhere = std::numeric_limits<int>::min() / 2;

struct Letters {
  std::u32string text;
  std::vector<std::uint32_t> byte;  // byte offset of each letter
};

// A byte that is not UTF-8 counts as a letter: names in traces may contain any bytes.
Letters letters_of(std::string_view text) {
  Letters out;
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    std::size_t size = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1;
    char32_t letter = size == 1 ? lead : lead & (0xFFU >> (size + 1));
    for (std::size_t k = 1; k < size; ++k) {
      const auto next = i + k < text.size() ? static_cast<unsigned char>(text[i + k]) : 0U;
      if ((next & 0xC0U) != 0x80U) {
        size = 1;
        letter = lead;
        break;
      }
      letter = letter << 6 | (next & 0x3FU);
    }
    out.text.push_back(letter);
    out.byte.push_back(static_cast<std::uint32_t>(i));
    i += size;
  }
  return out;
}

bool is_small(char32_t c) { return c >= U'a' && c <= U'z'; }
bool is_capital(char32_t c) { return c >= U'A' && c <= U'Z'; }
bool is_digit(char32_t c) { return c >= U'0' && c <= U'9'; }
bool is_of_word(char32_t c) { return is_small(c) || is_capital(c) || is_digit(c) || c >= 0x80; }
char32_t folded(char32_t c) { return is_capital(c) ? c - U'A' + U'a' : c; }

// The bonus for the position of a letter, whichever letters were matched before it.
int bonus_at(std::u32string_view text, std::size_t i) {
  if (i == 0) return kWordBegin + kTextBegin;
  const char32_t before = text[i - 1], here = text[i];
  if (!is_of_word(before) && is_of_word(here)) return kWordBegin;
  if (is_small(before) && is_capital(here)) return kHump;
  if (!is_digit(before) && is_digit(here)) return kHump;
  if (before < 0x80 && here >= 0x80) return kHump;
  return 0;
}

int gap_cost(std::size_t skipped) {
  return skipped == 0 ? 0 : std::min(kMostGap, kGapBegin + kGapLetter * static_cast<int>(skipped - 1));
}

// best[k][i]: the best score of the first k + 1 typed letters if the last of them matches letter i of the text.
std::optional<FuzzyMatch> match_word(std::u32string_view typed, const Letters& text) {
  const std::size_t n = text.text.size(), m = typed.size();
  std::size_t found = 0;
  for (std::size_t i = 0; i < n && found < m; ++i) found += folded(text.text[i]) == folded(typed[found]) ? 1 : 0;
  if (found < m) return std::nullopt;
  std::vector<std::vector<int>> best(m, std::vector<int>(n, kNowhere));
  std::vector<std::vector<std::uint32_t>> from(m, std::vector<std::uint32_t>(n, 0));
  for (std::size_t k = 0; k < m; ++k) {
    std::size_t far = 0;  // the best of the positions so far back that the gap costs the most
    for (std::size_t i = k; i < n; ++i) {
      if (k > 0 && i > kFar && best[k - 1][i - kFar - 1] > best[k - 1][far]) far = i - kFar - 1;
      if (folded(text.text[i]) != folded(typed[k])) continue;
      const int here = kLetter + bonus_at(text.text, i);
      if (k == 0) {
        best[k][i] = here - gap_cost(i);
        continue;
      }
      const auto come_from = [&](std::size_t j) {
        if (best[k - 1][j] == kNowhere) return;
        const int score = best[k - 1][j] + here + (j + 1 == i ? kInARow : 0) - gap_cost(i - j - 1);
        if (score <= best[k][i]) return;
        best[k][i] = score;
        from[k][i] = static_cast<std::uint32_t>(j);
      };
      if (i > kFar) come_from(far);
      for (std::size_t j = i > kFar ? i - kFar : 0; j < i; ++j) come_from(j);
    }
  }
  const auto end = std::max_element(best[m - 1].begin(), best[m - 1].end());
  FuzzyMatch out{*end, std::vector<std::uint32_t>(m)};
  auto at = static_cast<std::uint32_t>(end - best[m - 1].begin());
  for (std::size_t k = m; k-- > 0;) {
    out.letters[k] = text.byte[at];
    at = from[k][at];
  }
  return out;
}

}  // namespace

int fuzzy_score(std::u32string_view text, const std::vector<std::uint32_t>& at) {
  int score = 0;
  for (std::size_t k = 0; k < at.size(); ++k) {
    score += kLetter + bonus_at(text, at[k]);
    if (k == 0) {
      score -= gap_cost(at[k]);
    } else {
      score += (at[k] == at[k - 1] + 1 ? kInARow : 0) - gap_cost(at[k] - at[k - 1] - 1);
    }
  }
  return score;
}

std::optional<FuzzyMatch> fuzzy_match(std::string_view typed, std::string_view text) {
  const Letters letters = letters_of(text);
  FuzzyMatch out;
  for (std::size_t at = 0; at < typed.size();) {
    const std::size_t end = std::min(typed.find(' ', at), typed.size());
    if (end > at) {
      const auto word = match_word(letters_of(typed.substr(at, end - at)).text, letters);
      if (!word) return std::nullopt;
      out.score += word->score;
      out.letters.insert(out.letters.end(), word->letters.begin(), word->letters.end());
    }
    at = end + 1;
  }
  std::sort(out.letters.begin(), out.letters.end());
  out.letters.erase(std::unique(out.letters.begin(), out.letters.end()), out.letters.end());
  return out;
}

}  // namespace tv
