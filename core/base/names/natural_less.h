// Natural order: digit runs compare by value, so that "rank 2" comes before "rank 10".
#pragma once

#include <string_view>

namespace tv {

/// Three-way: negative, 0, positive. Equal only for equal texts ("a01" and "a1" differ).
int natural_compare(std::string_view a, std::string_view b);

inline bool natural_less(std::string_view a, std::string_view b) { return natural_compare(a, b) < 0; }

}  // namespace tv
