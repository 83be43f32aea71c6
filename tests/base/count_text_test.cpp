#include "core/base/text/count_text.h"

#include <doctest/doctest.h>

using namespace tv;

TEST_CASE("format_count: commas separate groups of three digits") {
  CHECK(format_count(0) == "0");
  CHECK(format_count(999) == "999");
  CHECK(format_count(1'000) == "1,000");
  CHECK(format_count(126'861) == "126,861");
  CHECK(format_count(20'000'001) == "20,000,001");
  CHECK(format_count(UINT64_MAX) == "18,446,744,073,709,551,615");
}

TEST_CASE("count_text: a count of one is singular") {
  CHECK(count_text(0, "hit") == "0 hits");
  CHECK(count_text(1, "hit") == "1 hit");
  CHECK(count_text(2'000, "hit") == "2,000 hits");
}
