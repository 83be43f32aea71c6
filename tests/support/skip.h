// A test that cannot run prints a line `SKIPPED [case]: reason`, which tests/skips finds in ctest's log and compares with
// tests/allowed_skips.txt. No test skips in another way (tests/skips_test.py). The test itself returns:
//
//   if (!window) return skip(window.error().text());
#pragma once

#include <string>
#include <string_view>

namespace tv::test {

/// Reports a skip of the running test case.
void skip(std::string_view reason);

/// A file or folder of the large sample data outside the repository; if it is missing, empty, and a skip is reported.
std::string shared_sample(std::string_view name);

}  // namespace tv::test
