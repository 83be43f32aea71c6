#include "core/base/text/csv_text.h"

#include <doctest/doctest.h>

namespace tv {
namespace {

TEST_CASE("csv text: fields are quoted where RFC 4180 asks for it") {
  CHECK(csv_field("aten::mm") == "aten::mm");
  CHECK(csv_field("f(a, b)") == "\"f(a, b)\"");
  CHECK(csv_field("a \"b\"") == "\"a \"\"b\"\"\"");
  CHECK(csv_field("two\nlines") == "\"two\nlines\"");
  CHECK(csv_field("") == "");
}

TEST_CASE("csv text: text that a spreadsheet would run as a formula is escaped") {
  CHECK(csv_field("=cmd|' /C calc'!A0") == "'=cmd|' /C calc'!A0");
  CHECK(csv_field("@SUM(1,2)") == "\"'@SUM(1,2)\"");
  CHECK(csv_field("-2+3") == "'-2+3");
  CHECK(csv_field("+x") == "'+x");
  CHECK(csv_field("\t=1") == "'\t=1");
  CHECK(csv_field("a=b") == "a=b");
}

TEST_CASE("csv text: signed numbers are not escaped") {
  CHECK(csv_field("-5") == "-5");
  CHECK(csv_field("+1.5e3") == "+1.5e3");
  CHECK(csv_field("-1.5e") == "'-1.5e");
}

}  // namespace
}  // namespace tv
