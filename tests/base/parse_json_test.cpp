#include "core/base/text/parse_json.h"

#include <doctest/doctest.h>

#include <string>

using namespace tv;

TEST_CASE("parse_json: text is parsed, and text that is no JSON is discarded") {
  CHECK(parse_json(R"({"a": [1, "b\"[{"]})") == nlohmann::json{{"a", {1, "b\"[{"}}});
  CHECK(parse_json("7") == 7);
  for (const char* text : {"", "nothing", "{", "[1,]", "\"", "\"\\"}) CHECK(parse_json(text).is_discarded());
}

TEST_CASE("parse_json: text that nests too deep is discarded, and brackets in strings do not count") {
  const auto nested = [](std::size_t levels) { return std::string(levels, '[') + std::string(levels, ']'); };
  CHECK(parse_json(nested(kDeepestJson)).is_array());
  CHECK(parse_json(nested(kDeepestJson + 1)).is_discarded());
  CHECK(parse_json(nested(200'000)).is_discarded());
  CHECK(parse_json("[[" + nested(kDeepestJson - 2) + "," + nested(kDeepestJson - 2) + "]]").is_array());
  CHECK(parse_json("[\"\\\"" + std::string(200, '[') + "\"]").is_array());
}
