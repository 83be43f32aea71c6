#include "core/base/names/distinct_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <set>

#include "core/base/text/ascii.h"

namespace tv {
namespace {

constexpr std::string_view kEndings[] = {".gz",   ".zst",   ".bz2",     ".xz",       ".zip",    ".tgz",     ".tar",
                                         ".json", ".jsonl", ".pt",      ".trace",    ".tvx",    ".nsys-rep", ".sqlite",
                                         ".log",  ".txt",   ".pftrace", ".perfetto", ".parquet", ".csv"};

bool is_part_of_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 0x80; }
bool is_token_char(char c) { return is_digit(c) || is_part_of_word(c); }

std::string_view without_endings(std::string_view name) {
  for (bool again = true; again;) {
    again = false;
    for (const std::string_view ending : kEndings) {
      if (name.size() <= ending.size() || !name.ends_with(ending)) continue;
      name.remove_suffix(ending.size());
      again = true;
    }
  }
  return name;
}

// ---- one part of a path

// A run of letters and digits, or a whole date such as "2026-11-28".
struct Token {
  std::size_t begin, end;  // in the text
};

bool all_digits(std::string_view text) { return !text.empty() && std::ranges::all_of(text, is_digit); }

bool is_year(std::string_view text) { return text.size() == 4 && all_digits(text) && (text[0] == '1' || text[0] == '2'); }

std::vector<Token> tokens_of(std::string_view text) {
  std::vector<Token> tokens;
  for (std::size_t at = 0; at < text.size();) {
    if (!is_token_char(text[at])) {
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && is_token_char(text[end])) ++end;
    tokens.push_back({at, end});
    at = end;
  }
  std::vector<Token> out;
  for (std::size_t t = 0; t < tokens.size(); ++t) {
    Token token = tokens[t];
    constexpr std::size_t kPartsOfTime = 6;
    for (std::size_t more = 1; is_year(text.substr(token.begin, 4)) && more < kPartsOfTime && t + 1 < tokens.size(); ++more) {
      const Token& next = tokens[t + 1];
      const std::string_view part = text.substr(next.begin, next.end - next.begin);
      if (next.begin != token.end + 1 || part.size() != 2 || !all_digits(part)) break;
      token.end = next.end;
      ++t;
    }
    out.push_back(token);
  }
  return out;
}

struct Text {
  std::string_view text;
  std::vector<Token> tokens;

  explicit Text(std::string_view whole) : text(whole), tokens(tokens_of(whole)) {}
  std::string_view token(std::size_t t) const { return text.substr(tokens[t].begin, tokens[t].end - tokens[t].begin); }
  std::string_view middle(std::size_t first, std::size_t end) const {
    return first >= end ? std::string_view() : text.substr(tokens[first].begin, tokens[end - 1].end - tokens[first].begin);
  }
};

std::size_t letters_in(std::string_view text) { return static_cast<std::size_t>(std::ranges::count_if(text, is_part_of_word)); }

// False for generated names such as "3fa9c2d1", which tell a reader nothing.
bool is_word(std::string_view token) {
  constexpr std::size_t kLongHex = 6;
  const auto is_hex = [](char c) { return is_digit(c) || (to_lower(c) >= 'a' && to_lower(c) <= 'f'); };
  const bool digits = std::ranges::any_of(token, is_digit);
  if (token.size() >= kLongHex && digits && std::ranges::all_of(token, is_hex)) return false;
  return letters_in(token) > 0;
}

bool has_word(std::string_view text) {
  const Text split(text);
  for (std::size_t t = 0; t < split.tokens.size(); ++t) {
    if (is_word(split.token(t))) return true;
  }
  return false;
}

// A number or a single letter alone says too little: "2" becomes "run_2", "a" becomes "run_a". A date is enough.
bool says_too_little(std::string_view text) {
  constexpr std::size_t kLeastWord = 3;
  if (text.size() < kLeastWord) return true;
  return letters_in(text) == 0 && !(is_year(text.substr(0, 4)) && text.size() >= sizeof("2026-11-28") - 1);
}

struct Reduced {
  std::vector<std::string> names;
  bool words = false;  // the part that differs has a word in every name
};

// Each text without the tokens that all texts begin or end with.
Reduced reduced(const std::vector<std::string_view>& texts) {
  std::vector<Text> all;
  std::size_t fewest = SIZE_MAX;  // the least number of tokens in a text
  for (const std::string_view text : texts) fewest = std::min(fewest, all.emplace_back(text).tokens.size());
  const auto same = [&](auto token) {
    return std::ranges::all_of(all, [&](const Text& text) { return token(text) == token(all.front()); });
  };
  std::size_t before = 0, after = 0;
  while (before < fewest && same([&](const Text& text) { return text.token(before); })) ++before;
  while (before + after < fewest && same([&](const Text& text) { return text.token(text.tokens.size() - 1 - after); })) ++after;
  const auto cut = [&](const Text& text) { return text.middle(before, text.tokens.size() - after); };
  const auto any = [&](auto test) { return std::ranges::any_of(all, [&](const Text& text) { return test(cut(text)); }); };
  while ((before > 0 || after > 0) && any([](std::string_view middle) { return middle.empty(); })) --(before > 0 ? before : after);
  Reduced out{{}, !any([](std::string_view middle) { return !has_word(middle); })};
  if (before > 0 && any(says_too_little)) --before;
  for (const Text& text : all) out.names.emplace_back(cut(text));
  return out;
}

// ---- Unix times

// The seconds of a token that is a Unix time between 2001 and 2100, in seconds, milliseconds, microseconds or nanoseconds.
std::optional<std::int64_t> unix_time(std::string_view token) {
  constexpr std::size_t kSeconds = 10;
  const std::size_t size = token.size();
  if ((size != kSeconds && size != kSeconds + 3 && size != kSeconds + 6 && size != kSeconds + 9) || !all_digits(token)) return {};
  const auto seconds = whole_number(token.substr(0, kSeconds));
  constexpr std::int64_t kLeast = 1'000'000'000, kMost = 4'100'000'000;
  return seconds && *seconds >= kLeast && *seconds < kMost ? seconds : std::nullopt;
}

std::optional<std::int64_t> last_unix_time(std::string_view text) {
  std::optional<std::int64_t> found;
  const Text split(text);
  for (std::size_t t = 0; t < split.tokens.size(); ++t) {
    if (const auto time = unix_time(split.token(t))) found = time;
  }
  return found;
}

// The first `letters` characters of "2026-11-28 10:15:30".
std::string date_text(std::int64_t seconds, std::size_t letters) {
  using namespace std::chrono;
  const sys_seconds at{std::chrono::seconds(seconds)};
  const auto day = floor<days>(at);
  const year_month_day date(day);
  const hh_mm_ss time(at - day);
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}:{:02}", static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                     static_cast<unsigned>(date.day()), time.hours().count(), time.minutes().count(), time.seconds().count())
      .substr(0, letters);
}

// Drops the time and the rank at the end of a name: "capture_rank_0.1773709742341309550" becomes "capture".
std::string without_time_and_rank(const std::string& name) {
  constexpr std::string_view kRank = "rank";
  const Text split(name);
  std::size_t end = split.tokens.size();
  const auto is_rank = [&](std::size_t t) {
    const std::string_view token = split.token(t);
    if (token.starts_with(kRank)) return all_digits(token.substr(kRank.size()));
    return t > 0 && all_digits(token) && split.token(t - 1) == kRank;
  };
  while (end > 1) {
    if (unix_time(split.token(end - 1))) {
      --end;
    } else if (is_rank(end - 1)) {
      end -= split.token(end - 1).starts_with(kRank) ? 1 : 2;
    } else {
      break;
    }
  }
  const std::string_view rest = split.middle(0, end);
  return has_word(rest) ? std::string(rest) : name;
}

// ---- the paths of one group

using Names = std::vector<std::string>;

class Group {
 public:
  explicit Group(const std::vector<std::string_view>& paths) : paths_(paths) {
    for (const std::string_view path : paths) {
      std::vector<std::string_view>& parts = parts_.emplace_back();
      for (std::size_t at = 0; at <= path.size();) {
        const std::size_t end = std::min(path.find('/', at), path.size());
        if (end > at) parts.push_back(path.substr(at, end - at));
        at = end + 1;
      }
      if (parts.empty()) parts.push_back(path);
    }
    while (std::ranges::all_of(parts_, [&](const auto& parts) {
      return common_ + 1 < parts.size() && parts[common_] == parts_.front()[common_];
    })) {
      ++common_;
    }
  }

  Reduced of_file() const {
    std::vector<std::string_view> names;
    for (const auto& parts : parts_) names.push_back(without_endings(parts.back()));
    return reduced(names);
  }
  Names file() const { return of_file().names; }
  Names words_of_file() const { return with_words(of_file()); }
  Names words_alone() const {
    Names names = words_of_file();
    for (std::string& name : names) name = without_time_and_rank(name);
    return names;
  }

  // The outermost folder that differs. A file directly in the common folder gets the name of that folder.
  Reduced of_folder() const {
    std::vector<std::string_view> names;
    for (const auto& parts : parts_) {
      const std::size_t at = common_ + 1 < parts.size() ? common_ : parts.size() - 1;
      if (at + 1 == parts.size() && at == 0) return {};
      names.push_back(without_endings(parts[at + 1 == parts.size() ? at - 1 : at]));
    }
    return reduced(names);
  }
  Names folder() const { return of_folder().names; }
  Names words_of_folder() const { return with_words(of_folder()); }

  Names date(std::size_t letters) const {
    Names out;
    for (const auto& parts : parts_) {
      const auto time = last_unix_time(without_endings(parts.back()));
      if (!time) return {};
      out.push_back(date_text(*time, letters));
    }
    return out;
  }

  // Everything from the first part that differs.
  Names rest(bool endings) const {
    Names out;
    for (const auto& parts : parts_) {
      std::string& text = out.emplace_back();
      for (std::size_t p = common_; p < parts.size(); ++p) {
        text += text.empty() ? "" : "/";
        text += endings ? parts[p] : without_endings(parts[p]);
      }
    }
    return out;
  }
  Names numbered() const {
    Names out;
    std::map<std::string, int> seen;
    for (const std::string& name : file()) out.push_back(fmt::format("{} ({})", name, ++seen[name]));
    return out;
  }

 private:
  static Names with_words(Reduced found) { return found.words ? std::move(found.names) : Names(); }

  std::vector<std::string_view> paths_;
  std::vector<std::vector<std::string_view>> parts_;
  std::size_t common_ = 0;  // the number of folders that all paths begin with
};

bool differ(const Names& names) {
  return !names.empty() && std::ranges::find(names, "") == names.end() && std::set(names.begin(), names.end()).size() == names.size();
}

// Whether the largest group has all names of the other groups, as with the ranks of two runs.
bool agree(const std::vector<Names>& of_groups) {
  const Names& largest = *std::ranges::max_element(of_groups, {}, &Names::size);
  const std::set<std::string_view> known(largest.begin(), largest.end());
  return std::ranges::all_of(of_groups, [&](const Names& names) {
    return std::ranges::all_of(names, [&](const std::string& name) { return known.contains(name); });
  });
}

}  // namespace

std::vector<std::string> distinct_names(std::span<const std::string_view> paths) {
  return distinct_names(paths, std::vector<std::size_t>(paths.size(), 0));
}

std::vector<std::string> distinct_names(std::span<const std::string_view> paths, std::span<const std::size_t> group) {
  if (paths.empty()) return {};
  std::map<std::size_t, std::vector<std::size_t>> members;
  for (std::size_t p = 0; p < paths.size(); ++p) members[group[p]].push_back(p);
  std::vector<Group> groups;
  for (const auto& [id, of_group] : members) {
    std::vector<std::string_view> paths_of_group;
    for (const std::size_t p : of_group) paths_of_group.push_back(paths[p]);
    groups.emplace_back(paths_of_group);
  }
  constexpr std::size_t kDay = sizeof("2026-11-28") - 1, kMinute = sizeof("2026-11-28 10:15") - 1, kSecond = kMinute + 3;
  // The most readable names first. The last way always gives distinct names.
  const std::function<Names(const Group&)> ways[] = {
      &Group::words_alone,
      &Group::words_of_file,
      &Group::words_of_folder,
      [](const Group& each) { return each.date(kDay); },
      [](const Group& each) { return each.date(kMinute); },
      [](const Group& each) { return each.date(kSecond); },
      &Group::file,
      &Group::folder,
      [](const Group& each) { return each.rest(false); },
      [](const Group& each) { return each.rest(true); },
      &Group::numbered,
  };
  std::vector<Names> chosen, in_doubt;  // in_doubt: the first distinct names; the groups do not agree on them
  for (const auto& way : ways) {
    std::vector<Names> names;
    for (const Group& each : groups) names.push_back(way(each));
    if (!std::ranges::all_of(names, differ)) continue;
    if (agree(names)) {
      chosen = std::move(names);
      break;
    }
    if (in_doubt.empty()) in_doubt = std::move(names);
  }
  if (chosen.empty()) chosen = std::move(in_doubt);
  std::vector<std::string> out(paths.size());
  auto names = chosen.begin();
  for (const auto& [id, of_group] : members) {
    for (std::size_t i = 0; i < of_group.size(); ++i) out[of_group[i]] = std::move((*names)[i]);
    ++names;
  }
  return out;
}

}  // namespace tv
