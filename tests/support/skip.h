// How a test says that it cannot ask what it is for: a line `SKIPPED [case]: reason`, which tests/skips finds in ctest's log and
// compares with tests/allowed_skips.txt. No test skips in another way (tests/skips_test.py). The test returns by itself:
//
//   if (!window) return skip(window.error().text());
#pragma once

#include <string>
#include <string_view>

namespace tv::test {

/// Of the case that runs.
void skip(std::string_view reason);

/// A file or folder of the large sample data outside the repository; empty where it is not there, and then this is said.
std::string shared_sample(std::string_view name);

}  // namespace tv::test
