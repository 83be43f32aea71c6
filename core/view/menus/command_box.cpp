#include "core/view/menus/command_box.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>

#include "core/base/text/ascii.h"
#include "core/view/menus/fuzzy_match.h"

namespace tv {
namespace {

// Puts a recently used command before one that matches equally well, but not before a far better match.
constexpr int kUsedBonus = 24;
// Prefers available commands. The others stay in the list, so that a user who types a whole title sees that it is unavailable.
constexpr int kDisabledCost = 16;
// Puts a title that is typed in full first.
constexpr int kWholeBonus = 1000;

}  // namespace

std::vector<BoxRow> box_rows(std::span<const BoxLine> lines, std::string_view typed, std::span<const std::string> recent) {
  struct Scored {
    bool disabled;     // primary sort key when nothing is typed
    int falling;       // the negated score
    std::size_t used;  // rank among recent commands
    BoxRow row;
  };
  const bool nothing_typed = typed.find_first_not_of(' ') == std::string_view::npos;
  const std::string whole = lower_case(typed);
  std::unordered_map<std::string_view, std::size_t> place_of;
  for (std::size_t r = 0; r < recent.size(); ++r) place_of.try_emplace(recent[r], r);
  std::vector<Scored> found;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    auto match = fuzzy_match(typed, lines[i].text);
    if (!match) continue;
    const auto place = place_of.find(lines[i].id);
    const bool is_recent = place != place_of.end();
    const std::size_t used = is_recent ? place->second : recent.size();
    const int score = nothing_typed ? 0 : match->score + (!lines[i].enabled ? -kDisabledCost : is_recent ? kUsedBonus : 0) +
                                                 (lower_case(lines[i].text) == whole ? kWholeBonus : 0);
    found.push_back({nothing_typed && !lines[i].enabled, -score, used, {i, std::move(match->letters), is_recent}});
  }
  std::ranges::stable_sort(found, [](const Scored& a, const Scored& b) {
    return std::tie(a.disabled, a.falling, a.used) < std::tie(b.disabled, b.falling, b.used);
  });
  std::vector<BoxRow> rows;
  rows.reserve(found.size());
  for (Scored& each : found) rows.push_back(std::move(each.row));
  return rows;
}

}  // namespace tv
