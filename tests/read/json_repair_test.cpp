#include "core/read/json/json_repair.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "core/read/json/json_args.h"
#include "tests/read/json_documents.h"

using namespace tv;
using namespace tv::test;
using Json = nlohmann::json;

namespace {

// Repaired, and parsed by a third-party strict parser.
Json repaired(std::string_view record) {
  const std::string text = repair_json(record).json;
  CAPTURE(text);
  REQUIRE(Json::accept(text));
  return Json::parse(text);
}

struct Case {
  const char* what;
  std::string record;
  std::string expected;  // as JSON
};

}  // namespace

TEST_CASE("json_repair: broken records as profilers write them become the expected JSON") {
  const Case cases[] = {
      {"backslashes of a path", R"({"name":"C:\jobs\7\data.py(3): step","ts":1})",
       R"({"name":"C:\\jobs\\7\\data.py(3): step","ts":1})"},
      {"valid escapes stay", R"({"a":"\" \\ \/ \b \f \n \r \t \u00e9"})", R"({"a":"\" \\ / \b \f \n \r \t é"})"},
      {"\\u without four digits", R"({"a":"\u12 \uxyzw"})", R"({"a":"\\u12 \\uxyzw"})"},
      {"quotes in a name", R"-({"name":"Library("_x", "IMPL")","ts":1})-",
       R"-({"name":"Library(\"_x\", \"IMPL\")","ts":1})-"},
      {"an object in a name", R"({"name": "{"device": "cpu"}(12): run", "ts": 1})",
       R"({"name":"{\"device\": \"cpu\"}(12): run","ts":1})"},
      {"an object with two members in a name", R"({"name": "{"device": "cpu", "dtype": "f32"}(12): run", "ts": 1})",
       R"({"name":"{\"device\": \"cpu\", \"dtype\": \"f32\"}(12): run","ts":1})"},
      {"a brace that is not closed", R"({"name": "{"device": "cpu", "ts": 1, "args": {"a": 2}})",
       R"({"name":"{\"device\": \"cpu","ts":1,"args":{"a":2}})"},
      {"a quoted name", R"({"name":""quoted"","ts":1})", R"({"name":"\"quoted\"","ts":1})"},
      {"one quote too many", R"({"name":"5" disk","ts":1})", R"({"name":"5\" disk","ts":1})"},
      {"a quote in the last value", R"({"ts":1,"name":"it"s"})", R"({"ts":1,"name":"it\"s"})"},
      {"quotes in an array", R"({"log":["to "/tmp/x" now","ok"],"ts":1})", R"({"log":["to \"/tmp/x\" now","ok"],"ts":1})"},
      {"raw newline, tab, bell", "{\"name\":\"a\nb\tc\x07\",\"ts\":1}", R"({"name":"a\nb\tc\u0007","ts":1})"},
      {"a NUL", std::string("{\"name\":\"a\0b\"}", 14), R"({"name":"a\u0000b"})"},
      {"bytes that are not UTF-8", "{\"name\":\"a\xff\xe4\xbd!\"}", "{\"name\":\"a\uFFFD\uFFFD\uFFFD!\"}"},
      {"overlong and surrogate bytes", "{\"name\":\"\xc0\xaf\xed\xa0\x80\"}", "{\"name\":\"\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\"}"},
      {"lone surrogates", R"({"a":"\ud800 \udc00 \ud83d\ude00 \ud83d!"})", "{\"a\":\"\uFFFD \uFFFD 😀 \uFFFD!\"}"},
      {"N/A", R"-({"bandwidth (GB/s)":N/A,"bytes":4})-", R"-({"bandwidth (GB/s)":"N/A","bytes":4})-"},
      {"nan and inf", R"({"a":nan,"b":-nan,"c":inf,"d":-Infinity,"e":NaN})",
       R"({"a":"nan","b":"-nan","c":"inf","d":"-Infinity","e":"NaN"})"},
      {"hex and enum words", R"({"stream":0x262ca50,"type":ncclFloat32,"ok":true})",
       R"({"stream":"0x262ca50","type":"ncclFloat32","ok":true})"},
      {"numbers JSON does not know", R"({"a":+1,"b":.5,"c":5.,"d":007,"e":1e,"f":-,"g":-0.5e+3})",
       R"({"a":"+1","b":".5","c":"5.","d":"007","e":"1e","f":"-","g":-0.5e+3})"},
      {"an empty object with a comma", R"({"args":{ , },"ts":1})", R"({"args":{},"ts":1})"},
      {"trailing commas", R"({"a":[1,2,],"b":{"c":3,},})", R"({"a":[1,2],"b":{"c":3}})"},
      {"doubled and leading commas", R"({,"a":[,1,,2],,"b":3})", R"({"a":[1,2],"b":3})"},
      {"a value that is missing", R"({"a":,"b":2,"c":})", R"({"a":null,"b":2,"c":null})"},
      {"a key without its first quote", R"({"ts":1, tid": 0,"pid":"x"})", R"({"ts":1,"tid":0,"pid":"x"})"},
      {"keys without quotes", R"({ts:1,args:{dims:[2,3]}})", R"({"ts":1,"args":{"dims":[2,3]}})"},
      {"a record cut in a string", R"({"name":"trai)", R"({"name":"trai"})"},
      {"a record cut in its args", R"({"ts":1,"args":{"a":[1,{"b")", R"({"ts":1,"args":{"a":[1,{"b":null}]}})"},
      {"a record cut after a colon", R"({"ts":)", R"({"ts":null})"},
      {"brackets that do not match", R"({"a":[1,2},"b":3})", R"({"a":[1,2],"b":3})"},
      {"brackets before members", R"({"a":1}, "b":2}, c":3},"d":4})", R"({"a":1,"b":2,"c":3,"d":4})"},
      {"a bracket before a member that is there", R"({"a":1,"b":2}, "c":3}, "b":4})", R"({"a":1,"b":2,"c":3})"},
      {"a bracket before a member that is a text", R"({"a":"b"}, "b":4})", R"({"a":"b"})"},
      {"something after the end", R"({"a":1}}} tail)", R"({"a":1})"},
      {"something else after the end", R"({"a":1} tail "b")", R"({"a":1})"},
      {"a key without anything", R"({a,"b":1,c})", R"({"a":null,"b":1,"c":null})"},
      {"a lost colon", R"({args {a [1]}})", R"({"args":{"a":[1]}})"},
      {"a lost key", R"({"a":1,{"b":2},[3]})", R"({"a":1,"":{"b":2},"":[3]})"},
      {"doubled colons", R"({"a"::1,"b":[1:2]})", R"({"a":1,"b":[1,2]})"},
      {"a quote in the next key", R"({"a":"x","b\"c":2,"d":N/A})", R"({"a":"x","b\"c":2,"d":"N/A"})"},
  };
  for (const Case& c : cases) {
    CAPTURE(std::string(c.what));
    CAPTURE(c.record);
    const std::string text = repair_json(c.record).json;
    CAPTURE(text);
    CHECK(Json::accept(text));
    CHECK(Json::parse(text, nullptr, false) == Json::parse(c.expected));
    CHECK(decode_json_record(c.record).ok());
  }
}

TEST_CASE("json_repair: counts the bytes it replaced") {
  CHECK(repair_json("{\"a\":\"\xff\xfe\",\"b\":x\xff}").replaced_bytes == 3);
  CHECK(repair_json("{\"a\":\"前\",\"b\":N/A}").replaced_bytes == 0);
}

TEST_CASE("json_repair: a record joined from two is recognised by its repeated member") {
  CHECK(repair_json(R"({"ph": "X", "name": "a", "pid": h": "X", "name": "b", "pid": 1, "ts": 5})").repeats_member);
  CHECK(repair_json(R"({"ph": "X", ph": "X"})").repeats_member);
  CHECK(!repair_json(R"({"ph": "X", "args": {"a": 1, "a": 2}, "name": "a "ph" b", "ts": N/A})").repeats_member);
  CHECK(!repair_json(R"({"ph": "X", "": 1, "": 2, "ts" 5})").repeats_member);
}

TEST_CASE("json_repair: valid JSON keeps its meaning") {
  for (const std::uint64_t seed : seeds(200)) {
    const Document document = DocumentWriter(seed).write(DocumentWriter::Form::Lines, 10);
    for (const Span& span : document.records) {
      std::string record = document.text.substr(span.begin, span.end - span.begin);
      // DocumentWriter puts raw newlines into strings, which is not valid JSON.
      for (std::size_t at = 0; (at = record.find("\n", at)) != std::string::npos;) record[at] = ' ';
      CAPTURE(seed);
      CAPTURE(record);
      REQUIRE(Json::accept(record));
      REQUIRE(repaired(record) == Json::parse(record));
    }
  }
}

TEST_CASE("json_repair: a repaired record needs no further repair") {
  for (const std::uint64_t seed : seeds(100)) {
    Random random(seed);
    std::string record = "{\"name\":\"";
    for (std::int64_t i = random.in(0, 12); i > 0; --i) record += random.one_of(std::vector<const char*>{"a", " ", "\"", "\\", "\n", "(", "é", "\xff"});
    record += "\",\"ts\":1}";
    CAPTURE(record);
    const std::string once = repair_json(record).json;
    REQUIRE(Json::accept(once));
    CHECK(Json::parse(repair_json(once).json) == Json::parse(once));
    CHECK(Json::parse(once).contains("name"));
  }
}

TEST_CASE("json_repair: any text that begins with a brace becomes valid JSON") {
  static constexpr std::string_view kPieces[] = {"{",  "}",      "[", "]",    "\"",    "\\",     ",",      ":",
                                                 " ",  "\n",     "a", "\xff", "1",     "-",      "1.5",    "null",
                                                 "é",  "\\u12",  "/", ".",    "\"a\":", "\"b\"",  "\\ud800", "\x01"};
  for (const std::uint64_t seed : seeds(3000)) {
    Random random(seed);
    std::string record = "{";
    for (std::int64_t i = random.in(0, 30); i > 0; --i) record += random.one_of(kPieces);
    if (random.chance(0.1)) record.push_back('\0');
    CAPTURE(seed);
    CAPTURE(record);
    const std::string text = repair_json(record).json;
    CAPTURE(text);
    REQUIRE(Json::accept(text));
    CHECK(text.size() <= 8 * record.size() + 16);
    const auto tree = decode_json_record(record);
    REQUIRE(tree.ok());
    CHECK(tree.value().nodes.front().subtree_end == tree.value().nodes.size());
  }
}

TEST_CASE("json_repair: text that does not begin with a brace is an error") {
  for (const std::string_view record : {"", "}", "]]]", ",", ":", "a", "\"", "\\", "[1,2", "\xff\xfe", "1 2 3"}) {
    CAPTURE(record);
    const auto tree = decode_json_record(record);
    REQUIRE(!tree.ok());
    CHECK(!tree.error().message.empty());
  }
}
