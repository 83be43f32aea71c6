#include "core/read/json/json_scan.h"

#include <doctest/doctest.h>

#include <string>

#include "tests/read/json_documents.h"

using namespace tv;
using namespace tv::test;

TEST_CASE("json_value_length: gives the value's length, or none if the value does not end") {
  struct Case {
    const char* text;
    std::size_t length;
  };
  constexpr std::size_t kNone = std::string_view::npos;
  const Case cases[] = {
      {"{}", 2},
      {"[]x", 2},
      {"{\"a\":[1,{\"b\":2}]} tail", 17},
      {"{\"a\":\"}\"}", 9},
      {"{\"a\":\"\\\"}\"}", 11},
      {"{\"a\":\"\\\\\"}", 10},
      {"{\"a\":\"x\ny\"}", 11},
      {"{\"a\":\"x\n}\"}", 11},  // the brace is text: no structure follows it
      {"{", kNone},
      {"", kNone},
      {"{\"a\":\"}", kNone},
      {"{\"a\":\"\\", kNone},
      {"[[[]", kNone},
  };
  for (const Case& c : cases) {
    CAPTURE(c.text);
    CHECK(json_value_length(c.text) == c.length);
  }
}

TEST_CASE("json_scan: fed byte by byte it finds the same ends") {
  for (const std::uint64_t seed : seeds(30)) {
    CAPTURE(seed);
    const Document document = DocumentWriter(seed).write(DocumentWriter::Form::Array, 8);
    for (const Span& record : document.records) {
      JsonScan scan;
      const std::string_view text = document.text;
      std::size_t at = record.begin;
      JsonScan::Step step{JsonScan::Status::More, at};
      for (std::size_t end = record.begin + 1; end <= text.size() && step.status == JsonScan::Status::More; ++end) {
        step = scan.run(text.substr(0, end), at, end == text.size());
        REQUIRE(step.at >= at);
        at = step.at;
      }
      REQUIRE(step.status == JsonScan::Status::Done);
      REQUIRE(at == record.end);
    }
  }
}

TEST_CASE("json_scan: a value ends before its comma or bracket") {
  for (const std::string_view text : {"12.5,", "\"a,]}\"]", "[1,2],", "{\"a\":1}}", "N/A }"}) {
    CAPTURE(text);
    JsonScan scan;
    const auto step = scan.run_value(text, 0, true);
    CHECK(step.status == JsonScan::Status::Done);
    CHECK(step.at == text.size() - 1);
  }
}
