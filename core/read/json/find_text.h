// Finds the next occurrence of a short text in a long one, for logs of gigabytes in which a few lines matter. Tests 32 positions
// at once by the first and the last byte of the short text, so that few positions need a comparison: 4.6 GB/s in a console log,
// where glibc's memmem reaches 2.0 (tests/bench/bench_limits, built with -O1). Cost: a pass over the long text. Source: W. Mula,
// "SIMD-friendly algorithms for substring searching".
#pragma once

#include <cstddef>
#include <string_view>

namespace tv {

/// The position of the first `wanted` at or after `from`, or npos. `wanted` must not be empty.
std::size_t find_text(std::string_view text, std::string_view wanted, std::size_t from);

}  // namespace tv
