#include "app/stage/bench_figure.h"

#include <doctest/doctest.h>

using tv::rounded;

TEST_CASE("bench figure: a value is rounded to its unit and not to a larger one") {
  CHECK(rounded(0.01234, 1e-4) == 0.0123);
  CHECK(rounded(0.00046, 1e-4) == 0.0005);
  CHECK(rounded(1.23456, 1e-3) == 1.235);
  CHECK(rounded(98.764, 0.01) == 98.76);
  CHECK(rounded(98.764, 0.1) == 98.8);
  CHECK(rounded(1234.6, 1) == 1235);
}
