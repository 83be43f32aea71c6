#include "core/view/short_name.h"

#include <doctest/doctest.h>

using namespace tv;

TEST_CASE("short_name: what the category says already is left out") {
  CHECK(short_name("backward", "backward_3") == "3");
  CHECK(short_name("backward_w1", "backward_w1_12") == "12");
  CHECK(short_name("backward", "backward3") == "backward3");
  CHECK(short_name("backward", "backward_") == "backward_");
  CHECK(short_name("backward", "backward") == "backward");
  CHECK(short_name("", "_3") == "_3");
  CHECK(short_name("kernel", "gemm") == "gemm");
}
