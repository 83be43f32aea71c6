#include "core/export/parts/strict_json.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/gen_trace.h"

using namespace tv;
using namespace tv::test;

namespace {

bool is_strict(const std::string& text) { return strict_json_length(text) == text.size() && !text.empty(); }

}  // namespace

TEST_CASE("strict json: only JSON that every parser accepts is strict") {
  for (const char* text : {"0", "-0.5e+10", "\"\"", "[]", "{}", "[1, 2 ,\n3]", "{\"a\":{\"b\":[true,false,null]}}",
                           "\"\\u00e4\\n\\/\"", "\"\xC3\xA4\"", "12345678901234567890"}) {
    CAPTURE(text);
    CHECK(is_strict(text));
  }
  for (const char* text : {"",     "007",        "1.",    ".5",        "+1",       "-",         "1e",
                           "nan",  "N/A",        "tru",   "\"",        "\"\\x\"",  "\"\\u12\"", "[1,]",
                           "[,1]", "{\"a\":1,}", "{a:1}", "{\"a\" 1}", "\"a\nb\"", "\"\xFF\"",  "\"\\ud83d\\ude00\"",
                           "[1",   "{\"a\":",  "1e999",  "[-1e400]"}) {
    CAPTURE(text);
    CHECK(!is_strict(text));
  }
  CHECK(is_strict("\" ~\x7f\""));
  CHECK(is_strict("\"\xC2\x80\""));
  CHECK(!is_strict("\"\x80\""));
  CHECK(!is_strict("\"\x1f\""));
  // The outermost has depth 0.
  CHECK(is_strict(std::string(200, '[') + "1" + std::string(200, ']')));
  CHECK(!is_strict(std::string(201, '[') + "1" + std::string(201, ']')));
  CHECK(strict_json_length("{\"a\":1},{\"b\":2}") == 7);
  CHECK(strict_json_length(std::string(100'000, '[')) == 0);  // and the stack does not overflow
  std::string members;
  CHECK(visit_strict_object("{ \"a\" : [1, 2], \"b\":\"x\\\"y\" } trailing",
                            [&](std::string_view key, std::string_view value) { members.append(key).append(value); }));
  CHECK(members == R"("a"[1, 2]"b""x\"y")");
  CHECK(!visit_strict_object("{\"a\":1", [](auto, auto) {}));
}

TEST_CASE("strict json: damaged texts are accepted only if an independent parser accepts them, and vice versa") {
  const std::string good =
      R"({"ph":"X","name":"a\tb ü","args":{"list":[1,-2.5e3,{"x":null}],"t":true,"long":"0123456789abcdef"}})";
  const std::string letters = "{}[]\",:\\u01.-+eEtrfn \n\x01\xC3\xBC";
  int taken = 0;
  for (const std::uint64_t seed : seeds(20000)) {
    Random random(seed);
    std::string text = good;
    for (std::int64_t i = random.in(0, 3); i > 0; --i) {
      const auto at = static_cast<std::size_t>(random.in(0, static_cast<std::int64_t>(text.size()) - 1));
      if (random.chance(0.5)) {
        text[at] = random.one_of(letters);
      } else {
        text.erase(at, 1);
      }
    }
    CAPTURE(text);
    taken += is_strict(text);
    REQUIRE(is_strict(text) == nlohmann::json::accept(text));
  }
  CHECK(taken > static_cast<int>(rounds(20000) / 4));
}
