// The work that core has done so far, in visits of basic blocks: the same on every machine and under any load, unlike time. Only
// the build with the thread sanitizer counts them (core/CMakeLists.txt); programs elsewhere do not link with this.
#pragma once

#include <cstdint>

namespace tv::test {

/// Visits of all threads since the program began. Exact while no other thread works.
std::uint64_t visits();

/// Adds work that core's blocks do not show, such as bytes moved by the C library.
void count_visits(std::uint64_t n);

}  // namespace tv::test
