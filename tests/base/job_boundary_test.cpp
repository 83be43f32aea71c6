#include "core/base/job_boundary.h"

#include <doctest/doctest.h>

#include <stdexcept>

using namespace tv;

TEST_CASE("job boundary: results and errors pass, and exceptions become errors") {
  const auto run = [](auto work) { return at_job_boundary("a.csv", "export less", work); };
  CHECK(run([]() -> Result<int> { return 5; }).value() == 5);
  CHECK(run([]() -> Result<int> { return Error{"cancelled", {}, {}, {}}; }).error().text() == "cancelled");
  const auto no_memory = run([]() -> Result<int> { throw std::bad_alloc(); });
  CHECK(no_memory.error().text() == "a.csv: memory ran out (export less)");
  CHECK(no_memory.error().of_system);
  CHECK(run([]() -> Result<int> { throw std::runtime_error("no regular expression"); }).error().text() == "a.csv: no regular expression");
}
