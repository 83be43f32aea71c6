// By what slices can be coloured (slice_colors.h), as words for menus and command lines.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace tv {

enum class ColorRule : std::uint8_t {
  Name,      ///< category and name (palette.h): what one sees first
  Category,  ///< the category alone
  Phase,     ///< the kind of work: engine or tool, computing or communicating, forward or backward
  Turn,      ///< for a request: which turn of the assistant
  Worker,    ///< whose lane it is in: worker, rank, process
  Status,    ///< how it ended: finished, cut off, failed, never
  Duration,  ///< how long it is, on a scale from dark to bright
  kCount
};
inline constexpr std::size_t kColorRules = static_cast<std::size_t>(ColorRule::kCount);
std::string_view name(ColorRule rule);     ///< one word: "phase"
std::string_view meaning(ColorRule rule);  ///< for menus and tooltips
std::optional<ColorRule> color_rule(std::string_view word);

}  // namespace tv
