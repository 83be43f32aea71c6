#include "core/base/names/rank_name.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <utility>

#include "core/base/text/ascii.h"

namespace tv {
namespace {

constexpr std::string_view kDigits = "0123456789";
constexpr std::size_t kLongestRank = 9;  // in digits

// Kinds of parallelism, and the weight of each when ranks are sorted. Both come from SGLang.
constexpr std::array<std::pair<std::string_view, std::int64_t>, 5> kPlaces = {
    {{"DP", 100'000'000}, {"EP", 1'000'000}, {"PP", 10'000}, {"TP", 100}, {"CP", 1}}};

struct Place {
  std::size_t kind = 0, begin = 0, end = 0;
  std::int64_t number = 0;
};

// Finds "TP01" in upper case, as a word or as a part of one ("Worker_TP0"). `between`: the text required before the number.
std::optional<Place> next_place(std::string_view text, std::size_t from, std::string_view between) {
  for (std::size_t at = from; at + 2 < text.size(); ++at) {
    if (at > 0 && (is_letter(text[at - 1]) || is_digit(text[at - 1]))) continue;
    for (std::size_t kind = 0; kind < kPlaces.size(); ++kind) {
      if (text.substr(at, 2) != kPlaces[kind].first || !text.substr(at + 2).starts_with(between)) continue;
      const std::size_t digits = at + 2 + between.size();
      const std::size_t end = std::min(text.find_first_not_of(kDigits, digits), text.size());
      if (end == digits || end - digits > kLongestRank || (end < text.size() && is_letter(text[end]))) continue;
      Place place{kind, at, end};
      std::from_chars(text.data() + digits, text.data() + end, place.number);
      return place;
    }
  }
  return std::nullopt;
}

}  // namespace

std::string RankName::text() const {
  std::string out = by_word ? "rank " + std::to_string(*number) : "";
  if (!place.empty()) out += (out.empty() ? "" : " ") + place;
  return out;
}

std::optional<std::int64_t> rank_in_name(std::string_view process) {
  constexpr std::string_view kRank = "rank";
  const std::string text = lower_case(process);
  for (std::size_t at = text.find(kRank); at != std::string::npos; at = text.find(kRank, at + 1)) {
    if (at > 0 && is_letter(text[at - 1])) continue;  // not "prank 3"
    const std::size_t number = text.find_first_not_of(" :=_-#", at + kRank.size());
    if (number == std::string::npos) continue;
    const std::size_t end = std::min(text.find_first_not_of(kDigits, number), text.size());
    if (end == number || end - number > kLongestRank) continue;
    return whole_number(std::string_view(text).substr(number, end - number));
  }
  return std::nullopt;
}

std::optional<RankName> rank_in_text(std::string_view text) {
  RankName name;
  int kinds = 0;
  for (auto place = next_place(text, 0, {}); place; place = next_place(text, place->end, {})) {
    name.place += (name.place.empty() ? "" : "-") + std::string(text.substr(place->begin, place->end - place->begin));
    // A hostile name can have so many places that their sum overflows.
    if (__builtin_add_overflow(name.sort, place->number * kPlaces[place->kind].second, &name.sort)) {
      name.sort = std::numeric_limits<std::int64_t>::max();
    }
    name.number = place->number;
    ++kinds;
  }
  if (kinds > 1) name.number.reset();
  if (kinds == 1) name.sort = *name.number;
  if (const auto rank = rank_in_name(text)) {
    name.number = name.sort = *rank;
    name.by_word = true;
  }
  if (!name.number && name.place.empty()) return std::nullopt;
  return name;
}

std::string_view without_rank(std::string_view pid) {
  const std::size_t end = pid.find("] ");
  if (!pid.starts_with('[') || end == std::string_view::npos || !rank_in_text(pid.substr(0, end))) return pid;
  return pid.substr(end + 2);
}

std::string place_in_file_name(std::string_view stem) {
  std::string out;
  for (auto place = next_place(stem, 0, "-"); place; place = next_place(stem, place->end, "-")) {
    out += (out.empty() ? "" : "-") + std::string(kPlaces[place->kind].first) + std::to_string(place->number);
  }
  return out;
}

std::optional<RankName> rank_at_begin(std::string_view name) {
  constexpr std::string_view kRank = "rank ";
  const bool by_word = name.starts_with(kRank);
  const std::string_view begin = name.substr(0, name.find_first_of(" ,", by_word ? kRank.size() : 0));
  std::optional<RankName> rank = rank_in_text(begin);
  const bool is_place = rank && !rank->by_word && rank->place.size() == begin.size();  // "TP01-DP00", not "DP4_base"
  return by_word || is_place ? rank : std::nullopt;
}

}  // namespace tv
