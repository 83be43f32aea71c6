#include "core/base/names/natural_less.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/support/gen_trace.h"

using namespace tv;
using namespace tv::test;

TEST_CASE("natural_compare: texts are ordered as listed, with numbers by value") {
  const std::vector<std::string> sorted = {
      "",        "-1",        "0",         "00",      "1",       "01",       "2",
      "10",      "10a",       "99999999999999999999", "100000000000000000000", "A",  "a",  "a0",
      "a1",      "a01",       "a1b",       "a2",      "a10",     "a10.json", "rank 2 b", "rank 10 a",
      "step_2/worker_10", "step_10/worker_2", "\xC3\xA9",
  };
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    for (std::size_t j = 0; j < sorted.size(); ++j) {
      CAPTURE(sorted[i]);
      CAPTURE(sorted[j]);
      const int order = natural_compare(sorted[i], sorted[j]);
      CHECK((order < 0) == (i < j));
      CHECK((order > 0) == (i > j));
      CHECK(natural_less(sorted[i], sorted[j]) == (i < j));
    }
  }
}

TEST_CASE("natural_compare: is a total order on random texts") {
  Random random(3);
  std::vector<std::string> texts;
  for (int i = 0; i < 120; ++i) {
    std::string text;
    for (std::int64_t n = random.in(0, 6); n > 0; --n) text += random.one_of(std::string("0019ab-\xC3"));
    texts.push_back(text);
  }
  const auto sign = [](int order) { return (order > 0) - (order < 0); };
  for (const std::string& a : texts) {
    for (const std::string& b : texts) {
      CAPTURE(a);
      CAPTURE(b);
      const int ab = sign(natural_compare(a, b));
      REQUIRE(ab == -sign(natural_compare(b, a)));
      REQUIRE((ab == 0) == (a == b));
      for (const std::string& c : texts) {
        if (ab < 0 && natural_compare(b, c) < 0) REQUIRE(natural_compare(a, c) < 0);
      }
    }
  }
}
