// Transforms columns of numbers so that they compress well: first differences of neighbours in zigzag coding, so that small ones
// have many zero bytes; then all first bytes, all second bytes, ... so that the zeros lie together.
//
//   1000, 1003, 1001   ->   2000 6 3   ->   d0 06 03 | 07 00 00 | 00 00 00 | ...
#pragma once

#include <span>

namespace tv {

/// `width`: 4 or 8 bytes per number; both spans have the same length, a multiple of it.
void to_planes(std::span<const char> numbers, unsigned width, std::span<char> planes);
void from_planes(std::span<const char> planes, unsigned width, std::span<char> numbers);

}  // namespace tv
