// Which of the two themes is wanted.
#pragma once

#include <cstdint>

namespace tv {

enum class ThemeChoice : std::uint8_t {
  System,  ///< as the desktop has it; dark where it does not say
  Dark,
  Light,
};

}  // namespace tv
