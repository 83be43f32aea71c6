// Ids and process ids in one spelling. read_trace_event itself is tested through chrome_chunk_test.cpp: its argument is a
// type that simdjson names after the instruction set that core is compiled for.
#include "core/read/chrome/trace_event.h"

#include <doctest/doctest.h>

using namespace tv;

namespace {

std::string id(std::string_view token) {
  std::string buffer;
  return std::string(normal_id(token, buffer));
}
std::string pid(std::string_view token) {
  std::string buffer;
  return std::string(normal_pid(token, "absent", buffer));
}

}  // namespace

TEST_CASE("normal_id: every spelling of a number becomes its decimal one") {
  const std::pair<const char*, const char*> cases[] = {
      {"5", "5"},
      {"05", "5"},
      {"0x5", "5"},
      {"0X5", "5"},
      {"5.0", "5"},
      {"5.", "5"},
      {"5.000", "5"},
      {"0", "0"},
      {"00", "0"},
      {"-7", "-7"},
      {"-07", "-7"},
      {"0x1f", "31"},
      {"0x1F", "31"},
      {"18446744073709551615", "18446744073709551615"},
      {"0xffffffffffffffff", "18446744073709551615"},
  };
  for (const auto& [token, expected] : cases) {
    const auto& shown_token = token;  // clang 14: no binding in CAPTURE's lambda
    CAPTURE(shown_token);
    CHECK(id(token) == expected);
  }
}

TEST_CASE("normal_id: text that is no 64-bit integer stays as it is") {
  for (const char* token : {"", "k", "8780d402", "5.5", "5a", "0x", "0xg", "-", "1e5", "+5", " 5", "5.0x",
                            "18446744073709551616", "0x10000000000000000"}) {
    CAPTURE(token);
    CHECK(id(token) == token);
  }
}

TEST_CASE("normal_pid: an absent pid gets the given name, and fractions are cut off") {
  const std::pair<const char*, const char*> cases[] = {
      {"", "absent"},  {"0", "0"},       {"77", "77"},      {"0x4d", "77"},      {"77.0", "77"},
      {"77.9", "77"},  {"-1", "-1"},     {"-1.5", "-1"},    {"Spans", "Spans"},  {"stream 7", "stream 7"},
      {"1.2.3", "1.2.3"}, {"10.0.0.1", "10.0.0.1"}, {"007", "7"},
      {"-9223372036854775808", "-9223372036854775808"},     {"140735340871681", "140735340871681"},
  };
  for (const auto& [token, expected] : cases) {
    const auto& shown_token = token;  // clang 14: no binding in CAPTURE's lambda
    CAPTURE(shown_token);
    CHECK(pid(token) == expected);
  }
}
