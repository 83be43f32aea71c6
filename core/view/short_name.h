// What to write on a slice that is too narrow for its name. Paddle's jobs are called after their category, which the
// colour tells already: of "backward_3" in category "backward" the micro-batch remains. Source: formats.md 1.2.
#pragma once

#include <string_view>

namespace tv {

/// A part of the name; the name itself where nothing in it is said twice.
inline std::string_view short_name(std::string_view category, std::string_view name) {
  const std::size_t at = category.size();
  if (at == 0 || name.size() < at + 2 || !name.starts_with(category) || name[at] != '_') return name;
  return name.substr(at + 1);
}

}  // namespace tv
