#include "core/view/color/color_rule.h"

#include <algorithm>

namespace tv {
namespace {

struct RuleWords {
  std::string_view word, meaning;
};
constexpr RuleWords kRules[] = {
    {"name", "name and category"},
    {"category", "category"},
    {"phase", "kind of work"},
    {"turn", "turn of the request"},
    {"worker", "worker, rank or process"},
    {"status", "how it ended"},
    {"duration", "how long it is"},
};
static_assert(std::size(kRules) == kColorRules);

}  // namespace

std::string_view name(ColorRule rule) { return kRules[static_cast<std::size_t>(rule)].word; }
std::string_view meaning(ColorRule rule) { return kRules[static_cast<std::size_t>(rule)].meaning; }

std::optional<ColorRule> color_rule(std::string_view word) {
  const auto found = std::ranges::find(kRules, word, &RuleWords::word);
  if (found == std::end(kRules)) return std::nullopt;
  return static_cast<ColorRule>(found - std::begin(kRules));
}

}  // namespace tv
