#include "core/base/text/distinct_texts.h"

#include <doctest/doctest.h>

using namespace tv;

TEST_CASE("distinct_texts: repeated texts are numbered, and taken numbers are skipped") {
  using Texts = std::vector<std::string>;
  CHECK(distinct_texts({"a", "b"}) == Texts{"a", "b"});
  CHECK(distinct_texts({"a", "a", "a"}) == Texts{"a", "a (2)", "a (3)"});
  CHECK(distinct_texts({"a", "a", "a (2)"}) == Texts{"a", "a (3)", "a (2)"});
  CHECK(distinct_texts({"", ""}) == Texts{"", " (2)"});
  CHECK(distinct_texts({}).empty());
}
