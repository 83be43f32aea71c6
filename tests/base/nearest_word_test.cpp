#include "core/base/text/nearest_word.h"

#include <doctest/doctest.h>

using namespace tv;

TEST_CASE("nearest_word: typos are matched to a word, other words are not") {
  const std::vector<std::string> verbs = {"info", "stats", "find", "screenshot", "report", "export"};
  CHECK(slips_between("inof", "info") == 1);
  CHECK(slips_between("", "ab") == 2);
  CHECK(nearest_word("inof", verbs) == "info");
  CHECK(nearest_word("stat", verbs) == "stats");
  CHECK(nearest_word("screnshoot", verbs) == "screenshot");
  CHECK(nearest_word("exprot", verbs) == "export");
  CHECK(nearest_word("compare", verbs).empty());
  CHECK(nearest_word("trace.json", verbs).empty());
  CHECK(nearest_word("in", verbs).empty());
}
