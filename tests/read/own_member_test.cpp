#include "core/read/own_member.h"

#include <doctest/doctest.h>

#include <string>

using namespace tv;

TEST_CASE("own_member: finds the value of the object's own member, wherever the same key stands before it") {
  const auto after = [](std::string_view object) {
    const std::size_t at = own_member(object, "\"key\"");
    return at == std::string_view::npos ? "none" : std::string(object.substr(at));
  };
  for (const char* before : {"", R"("other": 1, )", R"("in": {"key": 9}, )", R"("list": [{"key": 9}, "key"], )", R"("key" , )",
                             R"("text": "key", )", R"("text": "\"key\": 9, {", )", R"("text": "{", "in" : {"a": {"key":9}} , )"}) {
    CAPTURE(before);
    CHECK(after("{" + std::string(before) + "\"key\" :\t5}") == "5}");
    CHECK(after("{\n " + std::string(before) + "\"key\"\n:\"x\",\"more\":{}}") == "\"x\",\"more\":{}}");
    CHECK(after("{" + std::string(before) + R"("keys": 5, "a key": 5})") == "none");
  }
  CHECK(after(R"({"in": {"key": 9}}, "key": 5})") == "none");  // after the object
  CHECK(after(R"({"in": {"key": 9)") == "none");
  CHECK(after(R"({"in": "{\)") == "none");
  CHECK(after(R"({"key":)").empty());
  CHECK(after(R"({"key")") == "none");
  CHECK(after(R"(["key": 5])") == "none");
  CHECK(after("") == "none");
}
