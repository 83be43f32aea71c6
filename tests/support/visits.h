// How much core did so far, in visits of basic blocks: the same on every machine and under any load, unlike time. Only the
// build with the thread sanitizer counts them (core/CMakeLists.txt); programs elsewhere do not link with this.
#pragma once

#include <cstdint>

namespace tv::test {

/// Of all threads since the program began. Exact while no other thread works.
std::uint64_t visits();

/// Adds what no block of core stands for, such as bytes that the C library moved.
void count_visits(std::uint64_t n);

}  // namespace tv::test
