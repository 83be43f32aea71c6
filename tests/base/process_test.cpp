#include "core/base/process.h"

#include <doctest/doctest.h>

using namespace tv;

TEST_CASE("process: this one is there; what is no number of a process is not") {
  CHECK(process_exists(process_id()));
  CHECK(process_exists(1));  // another user's, mostly
  CHECK_FALSE(process_exists(0));
  CHECK_FALSE(process_exists(-1));  // of kill(2): all of them
  CHECK_FALSE(process_exists(std::int64_t{1} << 40));
}

TEST_CASE("process: the system has a name of three words or more") {
  CHECK(system_name().find(' ') != std::string::npos);
}
