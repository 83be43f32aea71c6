// The rules by which slices can be coloured (slice_colors.h), and their names for menus and command lines.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace tv {

enum class ColorRule : std::uint8_t {
  Name,      ///< category and name (palette.h): the default
  Category,  ///< the category alone
  Phase,     ///< the kind of work: engine or tool, computing or communicating, forward or backward
  Turn,      ///< for a request: which turn of the assistant
  Worker,    ///< the worker, rank or process of its lane
  Status,    ///< how it ended (finished, cut off, failed, never), or what is wrong with its record
  Duration,  ///< how long it is, on a scale from dark to bright
  kCount
};
inline constexpr std::size_t kColorRules = static_cast<std::size_t>(ColorRule::kCount);
std::string_view name(ColorRule rule);     ///< one word: "phase"
std::string_view meaning(ColorRule rule);  ///< for menus and tooltips
std::optional<ColorRule> color_rule(std::string_view word);

}  // namespace tv
