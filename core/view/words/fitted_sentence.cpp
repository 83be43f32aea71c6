#include "core/view/words/fitted_sentence.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "core/base/text/utf8.h"

namespace tv {
namespace {

constexpr std::string_view kLeftOut = "\u2026";
constexpr std::size_t kShortestWord = 12;

using Word = std::vector<std::string_view>;  // the letters of a word

std::vector<Word> words_of(std::string_view text) {
  std::vector<Word> words(1);
  while (!text.empty()) {
    const std::size_t length = std::max<std::size_t>(1, utf8_length(text));
    if (text.front() == ' ') {
      words.emplace_back();
    } else {
      words.back().push_back(text.substr(0, length));
    }
    text.remove_prefix(length);
  }
  return words;
}

void append_cut(std::string& out, const Word& word, std::size_t most) {
  const bool cut = word.size() > most;
  const std::size_t head = cut ? most / 2 : word.size(), tail = cut ? most - head - 1 : 0;
  for (std::size_t i = 0; i < head; ++i) out += word[i];
  if (cut) out += kLeftOut;
  for (std::size_t i = word.size() - tail; i < word.size(); ++i) out += word[i];
}

// The first `n` words, each cut to at most that many letters.
std::string joined(const std::vector<Word>& words, std::size_t n, std::size_t most) {
  std::string out;
  for (std::size_t i = 0; i < n; ++i) {
    if (i > 0) out += ' ';
    append_cut(out, words[i], most);
  }
  return out;
}

// The largest n from `least` to `most` for which holds(n) is true. holds(least) must be true, and true must not follow false.
template <class Holds>
std::size_t largest(std::size_t least, std::size_t most, const Holds& holds) {
  while (least < most) {
    const std::size_t middle = least + (most - least + 1) / 2;
    if (holds(middle)) {
      least = middle;
    } else {
      most = middle - 1;
    }
  }
  return least;
}

}  // namespace

std::string fitted_sentence(std::string_view sentence, const std::function<bool(std::string_view)>& fits) {
  if (fits(sentence)) return std::string(sentence);
  const std::vector<Word> words = words_of(sentence);
  const std::size_t longest = std::ranges::max_element(words, {}, &Word::size)->size();
  if (fits(joined(words, words.size(), kShortestWord))) {
    const auto all_fit = [&](std::size_t letters) { return fits(joined(words, words.size(), letters)); };
    return joined(words, words.size(), largest(kShortestWord, std::max(longest, kShortestWord), all_fit));
  }
  const auto begin = [&](std::size_t n) { return joined(words, n, kShortestWord) + std::string(kLeftOut); };
  const std::string shown = begin(largest(0, words.size() - 1, [&](std::size_t n) { return fits(begin(n)); }));
  return fits(shown) ? shown : std::string();
}

}  // namespace tv
