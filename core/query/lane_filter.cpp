#include "core/query/lane_filter.h"

#include <algorithm>
#include <regex>

#include "core/base/ascii.h"
#include "core/store/load_choice.h"

namespace tv {
namespace {

constexpr std::string_view kBetween = " / ";

// A word of a path, alone or followed by one of some numbers.
struct LaneWord {
  std::string word;             // small letters; empty: any number
  std::vector<RankSpan> spans;  // none: the word alone
  bool excluded = false;        // lanes that have it are not wanted
};

// "3", "0..3", "0..3,7"
std::vector<RankSpan> numbers_of(const std::string& word) {
  if (word.empty() || !is_digit(word[0])) return {};
  auto spans = parse_ranks(word);
  return spans ? std::move(spans.value()) : std::vector<RankSpan>();
}

std::vector<LaneWord> words_of_filter(std::string_view text) {
  std::vector<LaneWord> words;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    std::string word = lower_case(text.substr(at, end - at));
    at = end + 1;
    const bool excluded = word.size() > 1 && word[0] == '!';
    if (excluded) word.erase(0, 1);
    if (word.empty()) continue;
    std::vector<RankSpan> spans = numbers_of(word);
    if (spans.empty()) {
      words.push_back({std::move(word), {}, excluded});
    } else if (excluded) {
      words.push_back({{}, std::move(spans), true});
    } else if (!words.empty() && words.back().spans.empty() && !is_digit(words.back().word.back())) {
      words.back().spans = std::move(spans);
    } else {
      words.push_back({{}, std::move(spans), false});
    }
  }
  return words;
}

bool holds_digit(std::string_view text, std::size_t at) { return at < text.size() && is_digit(text[at]); }

// The number that stands at a place, and is not the end of a longer one, is one of these.
bool number_among(std::string_view path, std::size_t at, const std::vector<RankSpan>& spans) {
  if (!holds_digit(path, at) || (at > 0 && is_digit(path[at - 1]))) return false;
  std::size_t end = at;
  while (holds_digit(path, end)) ++end;
  const auto number = whole_number(path.substr(at, end - at));
  return number && chosen(spans, number);
}

// "rank 1" is not in "rank 10", nor "stream7" in "stream71".
bool has_word(std::string_view path, const LaneWord& wanted) {
  if (wanted.word.empty()) {
    for (std::size_t at = 0; at < path.size(); ++at) {
      if (number_among(path, at, wanted.spans)) return true;
    }
    return false;
  }
  for (std::size_t at = path.find(wanted.word); at != path.npos; at = path.find(wanted.word, at + 1)) {
    const std::size_t after = at + wanted.word.size();
    if (wanted.spans.empty()) {
      if (!is_digit(wanted.word.back()) || !holds_digit(path, after)) return true;
      continue;
    }
    // "rank 3", "worker_3", "GPU3"
    const bool apart = after < path.size() && std::string_view(" _-:#=").find(path[after]) != std::string_view::npos;
    if (number_among(path, after + (apart ? 1 : 0), wanted.spans)) return true;
  }
  return false;
}

// Paths of all lanes; a parent comes before its lanes.
std::vector<std::string> all_paths(const Trace& trace) {
  std::vector<std::string> paths;
  paths.reserve(trace.lanes.size());
  for (const Lane& lane : trace.lanes) {
    paths.push_back(lane.parent == kNone<LaneId> ? lane.name : paths[idx(lane.parent)] + std::string(kBetween) + lane.name);
  }
  return paths;
}

std::vector<bool> lanes_with_words(const std::vector<std::string>& paths, const std::vector<LaneWord>& words) {
  std::vector<bool> lanes(paths.size());
  for (std::size_t l = 0; l < lanes.size(); ++l) {
    const std::string path = lower_case(paths[l]);
    lanes[l] = std::ranges::all_of(words, [&](const LaneWord& word) { return has_word(path, word) != word.excluded; });
  }
  return lanes;
}

Result<std::vector<bool>> lanes_with_expression(const std::vector<std::string>& paths, const std::string& expression) {
  std::vector<bool> lanes(paths.size());
  try {
    const std::regex wanted(expression, std::regex::ECMAScript | std::regex::icase | std::regex::optimize);
    for (std::size_t l = 0; l < lanes.size(); ++l) lanes[l] = std::regex_search(paths[l], wanted);
  } catch (const std::regex_error& error) {
    return Error{"not a regular expression: " + expression + ": " + error.what(), {}, {}, "quote it: '/GPU.*/'"};
  }
  return lanes;
}

bool any_of_them(const std::vector<bool>& lanes) { return std::ranges::find(lanes, true) != lanes.end(); }

std::string_view without_blanks_around(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

}  // namespace

std::string joined_path(const Trace& trace, LaneId lane) {
  std::string joined;
  for (const std::string& part : trace.path_of(lane)) joined.append(joined.empty() ? "" : kBetween).append(part);
  return joined;
}

Result<ChosenLanes> chosen_lanes(const Trace& trace, std::string_view text) {
  text = without_blanks_around(text);
  ChosenLanes out;
  const std::vector<LaneWord> words = words_of_filter(text);
  if (words.empty()) {
    out.lanes.assign(trace.lanes.size(), true);
    return out;
  }
  const std::vector<std::string> paths = all_paths(trace);
  const bool none_of = text.starts_with("!/");
  const std::string_view expression = text.substr(none_of ? 1 : 0);
  if (expression.size() > 2 && expression.front() == '/' && expression.back() == '/') {
    auto lanes = lanes_with_expression(paths, std::string(expression.substr(1, expression.size() - 2)));
    if (!lanes) return lanes.error();
    out.lanes = std::move(*lanes);
    if (none_of) out.lanes.flip();
    return out;
  }
  out.lanes = lanes_with_words(paths, words);
  if (any_of_them(out.lanes) || text.find_first_of(".*+?[](){}|^$\\/") == std::string_view::npos) return out;
  auto lanes = lanes_with_expression(paths, std::string(text));
  if (!lanes) return lanes.error();
  out.as_expression = any_of_them(*lanes);
  out.lanes = std::move(*lanes);
  return out;
}

}  // namespace tv
