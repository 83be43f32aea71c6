#include "core/base/process.h"

#include <doctest/doctest.h>

using namespace tv;

TEST_CASE("process: this process exists, and one with an invalid id does not") {
  CHECK(process_exists(process_id()));
  CHECK(process_exists(1));  // usually owned by another user
  CHECK_FALSE(process_exists(0));
  CHECK_FALSE(process_exists(-1));  // means all processes to kill(2)
  CHECK_FALSE(process_exists(std::int64_t{1} << 40));
}

TEST_CASE("process: the system name has more than one word") {
  CHECK(system_name().find(' ') != std::string::npos);
}
