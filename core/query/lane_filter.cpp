#include "core/query/lane_filter.h"

#include <algorithm>
#include <optional>

#include "core/base/text/ascii.h"
#include "core/query/name_pattern.h"
#include "core/store/draft/load_choice.h"

namespace tv {
namespace {

constexpr std::string_view kBetween = " / ";

// What a lane must have, or must not have.
struct LaneTerm {
  std::string word;             // lower case; empty if the term is only numbers, or an expression
  std::vector<RankSpan> spans;  // a number in one of these must follow the word; empty: no number is needed
  std::optional<NamePattern> expression;
  bool excluded = false;
};

// "3", "0..3", "0..3,7"
std::vector<RankSpan> numbers_of(const std::string& word) {
  if (word.empty() || !is_digit(word[0])) return {};
  auto spans = parse_ranks(word);
  return spans ? std::move(spans.value()) : std::vector<RankSpan>();
}

Result<NamePattern> expression_of(const std::string& text) {
  auto expression = NamePattern::of({text, false, true});
  if (expression) return expression;
  return Error{"not a regular expression: " + text + ": " + expression.error().message,
               {},
               {},
               "a correct one looks like this: /GPU [01]/"};
}

// The closing slash of the expression that begins at `at`, or npos. A blank or the end of the text must follow this slash. No
// blank may precede it, because the slashes between the names of a path have blanks around them. After a backslash, a slash is
// part of the expression.
std::size_t end_of_expression(std::string_view text, std::size_t at) {
  if (at + 1 >= text.size() || text[at] != '/' || text[at + 1] == ' ') return std::string_view::npos;
  for (std::size_t end = at + 2; end < text.size(); ++end) {
    const bool last = end + 1 == text.size() || text[end + 1] == ' ';
    if (text[end] == '/' && last && text[end - 1] != ' ' && text[end - 1] != '\\') return end;
  }
  return std::string_view::npos;
}

Result<std::vector<LaneTerm>> terms_of(std::string_view text) {
  std::vector<LaneTerm> terms;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == ' ') {
      ++at;
      continue;
    }
    const bool excluded = text[at] == '!' && at + 1 < text.size() && text[at + 1] != ' ';
    const std::size_t first = at + (excluded ? 1 : 0);
    if (const std::size_t closed = end_of_expression(text, first); closed != text.npos) {
      auto expression = expression_of(std::string(text.substr(first + 1, closed - first - 1)));
      if (!expression) return expression.error();
      terms.push_back({{}, {}, std::move(*expression), excluded});
      at = closed + 1;
      continue;
    }
    const std::size_t end = std::min(text.find(' ', first), text.size());
    std::string word = lower_case(text.substr(first, end - first));
    at = end;
    std::vector<RankSpan> spans = numbers_of(word);
    const bool follows_word = !terms.empty() && !terms.back().word.empty() && terms.back().spans.empty() &&
                              !is_digit(terms.back().word.back());
    if (spans.empty()) {
      terms.push_back({std::move(word), {}, {}, excluded});
    } else if (!excluded && follows_word) {
      terms.back().spans = std::move(spans);
    } else {
      terms.push_back({{}, std::move(spans), {}, excluded});
    }
  }
  return terms;
}

// The message for a word that matches no lane if it looks like a malformed term; empty if it does not.
std::string syntax_error(const std::string& word) {
  if (word == "!") return "write \"!\" directly before what it excludes: !cpu";
  if (word[0] == '/' && word.size() > 1) return "an expression needs a slash at its end, too: " + word + "/";
  if (is_digit(word[0]) && word.find_first_not_of("0123456789.,-") == word.npos)
    return word + " is not a list of numbers; write ranges with the smaller number first: 0..3,7";
  return {};
}

bool is_digit_at(std::string_view text, std::size_t at) { return at < text.size() && is_digit(text[at]); }

// Whether a whole number begins at `at` and lies in one of the spans.
bool number_among(std::string_view path, std::size_t at, const std::vector<RankSpan>& spans) {
  if (!is_digit_at(path, at) || (at > 0 && is_digit(path[at - 1]))) return false;
  std::size_t end = at;
  while (is_digit_at(path, end)) ++end;
  const auto number = whole_number(path.substr(at, end - at));
  return number && chosen(spans, number);
}

// "rank 1" is not in "rank 10", nor "stream7" in "stream71".
bool has_word(std::string_view path, const LaneTerm& wanted) {
  if (wanted.word.empty()) {
    for (std::size_t at = 0; at < path.size(); ++at) {
      if (number_among(path, at, wanted.spans)) return true;
    }
    return false;
  }
  for (std::size_t at = path.find(wanted.word); at != path.npos; at = path.find(wanted.word, at + 1)) {
    const std::size_t after = at + wanted.word.size();
    if (wanted.spans.empty()) {
      if (!is_digit(wanted.word.back()) || !is_digit_at(path, after)) return true;
      continue;
    }
    // "rank 3", "worker_3", "GPU3"
    const bool separated = after < path.size() && std::string_view(" _-:#=").find(path[after]) != std::string_view::npos;
    if (number_among(path, after + (separated ? 1 : 0), wanted.spans)) return true;
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

std::vector<bool> lanes_with_terms(const std::vector<std::string>& paths, const std::vector<LaneTerm>& terms) {
  std::vector<bool> lanes(paths.size());
  for (std::size_t l = 0; l < lanes.size(); ++l) {
    const std::string path = lower_case(paths[l]);
    lanes[l] = std::ranges::all_of(terms, [&](const LaneTerm& term) {
      const bool has = term.expression ? term.expression->matches(paths[l]) : has_word(path, term);
      return has != term.excluded;
    });
  }
  return lanes;
}

bool any_chosen(const std::vector<bool>& lanes) { return std::ranges::find(lanes, true) != lanes.end(); }

}  // namespace

std::string joined_path(const Trace& trace, LaneId lane) {
  std::string joined;
  for (const std::string& part : trace.path_of(lane)) joined.append(joined.empty() ? "" : kBetween).append(part);
  return joined;
}

Result<ChosenLanes> chosen_lanes(const Trace& trace, std::string_view text) {
  ChosenLanes out;
  auto terms = terms_of(text);
  if (!terms) return terms.error();
  if (terms->empty()) {
    out.lanes.assign(trace.lanes.size(), true);
    return out;
  }
  const std::vector<std::string> paths = all_paths(trace);
  out.lanes = lanes_with_terms(paths, *terms);
  if (any_chosen(out.lanes)) return out;
  for (const LaneTerm& term : *terms) {
    const std::string why = term.word.empty() ? std::string() : syntax_error(term.word);
    const bool in_a_path = std::ranges::any_of(
        paths, [&](const std::string& path) { return lower_case(path).find(term.word) != path.npos; });
    if (!why.empty() && !in_a_path) return Error{why, {}, {}, {}};
  }
  const bool has_expressions = std::ranges::any_of(*terms, [](const LaneTerm& term) { return term.expression.has_value(); });
  if (has_expressions || text.find_first_of(".*+?[](){}|^$\\/") == std::string_view::npos) return out;
  auto expression = expression_of(std::string(text));
  if (!expression) return expression.error();
  for (std::size_t l = 0; l < paths.size(); ++l) out.lanes[l] = expression->matches(paths[l]);
  out.as_expression = any_chosen(out.lanes);
  return out;
}

}  // namespace tv
