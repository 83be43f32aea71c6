// The user's choice of theme.
#pragma once

#include <cstdint>

namespace tv {

enum class ThemeChoice : std::uint8_t {
  System,  ///< follows the desktop; dark if it does not say
  Dark,
  Light,
};

}  // namespace tv
