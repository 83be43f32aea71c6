// Transforms columns of integers so that they compress well. Each number becomes its difference from the previous one in zigzag
// coding (0, -1, 1, -2 -> 0, 1, 2, 3), so that a small difference has zeros in its high bytes. Then all lowest bytes come first,
// all second bytes next, and so on, so that the zeros lie together.
//
//   1000, 1003, 1001   ->   2000 6 3   ->   d0 06 03 | 07 00 00 | 00 00 00 | ...
#pragma once

#include <span>

namespace tv {

/// `width`: bytes per number, 4 or 8. Both spans have the same length, a multiple of `width`. Cost: O(n).
void to_planes(std::span<const char> numbers, unsigned width, std::span<char> planes);
/// The inverse of to_planes().
void from_planes(std::span<const char> planes, unsigned width, std::span<char> numbers);

}  // namespace tv
