// Damages JSON at random places: a few bytes too many or too few.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "tests/support/gen_trace.h"

namespace tv::test {

inline void damage_json(std::string& text, Random& random) {
  static constexpr std::string_view kDamage[] = {"\"", "{", "}", "[", "]", ",", ":", "\\", "\n", "\r", " ", "\x01", "\xff", "é", "1", "nul", "/"};
  for (std::int64_t i = random.in(1, 3); i > 0; --i) {
    const auto at = static_cast<std::size_t>(random.in(0, static_cast<std::int64_t>(text.size())));
    if (random.chance(0.5)) {
      text.insert(at, random.one_of(kDamage));
    } else {
      text.erase(at, static_cast<std::size_t>(random.in(1, 3)));
    }
  }
}

}  // namespace tv::test
