#include "core/read/json/json_args.h"

#include <doctest/doctest.h>

#include <string>

using namespace tv;

namespace {

// "key=value" per leaf in preorder, objects and arrays as key{ } and key[ ].
std::string outline(const ArgTree& tree, std::size_t from = 1, std::size_t to = SIZE_MAX) {
  std::string out;
  for (std::size_t i = from; i < std::min(to, tree.nodes.size()); i = tree.nodes[i].subtree_end) {
    const ArgNode& node = tree.nodes[i];
    if (!out.empty()) out += ' ';
    if (!node.key.empty()) out += node.key + "=";
    switch (node.kind) {
      case ArgNode::Kind::Object: out += "{" + outline(tree, i + 1, node.subtree_end) + "}"; break;
      case ArgNode::Kind::Array: out += "[" + outline(tree, i + 1, node.subtree_end) + "]"; break;
      case ArgNode::Kind::String: out += "'" + node.value + "'"; break;
      default: out += node.value;
    }
  }
  return out;
}

std::string decoded(std::string_view record) {
  const auto tree = decode_json_record(record);
  REQUIRE(tree.ok());
  return outline(tree.value());
}

std::string nested(std::size_t depth) {
  return "{\"a\":" + std::string(depth, '[') + std::string(depth, ']') + "}";
}

}  // namespace

TEST_CASE("json_args: numbers stay as written") {
  CHECK(decoded(R"({"Comms Id":10159970886766084423})") == "Comms Id=10159970886766084423");
  CHECK(decoded(R"({"a":1e400,"b":-0,"c":1.50,"d":123456789012345678901234567890})") ==
        "a=1e400 b=-0 c=1.50 d=123456789012345678901234567890");
  CHECK(decoded(R"({"ts":1724203468009469.317})") == "ts=1724203468009469.317");
}

TEST_CASE("json_args: nested values, words and strings are decoded, and repeated keys are kept") {
  CHECK(decoded(R"({"a":{"b":[1,{"c":"d"},[]],"e":null},"f":true})") == "a={b=[1 {c='d'} []] e=null} f=true");
  CHECK(decoded(R"({"s":"\u524d\n\"q\" \ud83d\ude00"})") == "s='前\n\"q\" 😀'");
  CHECK(decoded("{}") == "");
  CHECK(decoded(R"({"a":1,"a":2})") == "a=1 a=2");  // nothing is hidden
}

TEST_CASE("json_args: a tree keeps the record's text, and each node its depth and subtree end") {
  const std::string record = R"({"a":{"b":[1,2]},"c":3})";
  const auto decoded_tree = decode_json_record(record);
  REQUIRE(decoded_tree.ok());
  const ArgTree& tree = decoded_tree.value();
  CHECK(tree.text == record);
  REQUIRE(tree.nodes.size() == 6);
  CHECK(tree.nodes[0].subtree_end == 6);
  CHECK(tree.nodes[1].subtree_end == 5);
  CHECK(tree.nodes[4].depth == 3);
  REQUIRE(tree.find("c"));
  CHECK(tree.find("c")->value == "3");
  CHECK(!tree.find("b"));  // top level only
}

TEST_CASE("json_args: damaged records are repaired first") {
  CHECK(decoded(R"-({"name":"Library("_x", "IMPL")","bw":N/A})-") == "name='Library(\"_x\", \"IMPL\")' bw='N/A'");
  CHECK(decoded(R"({"name":"cut he)") == "name='cut he'");
}

TEST_CASE("json_args: excessive nesting is an error, not a crash") {
  CHECK(decode_json_record(nested(300)).ok());
  for (const std::size_t depth : {5'000, 200'000, 2'000'000}) {
    CAPTURE(depth);
    const auto tree = decode_json_record(nested(depth));
    REQUIRE(!tree.ok());
    CHECK(tree.error().message.find("cannot be decoded") != std::string::npos);
    CHECK(!decode_json_record("{\"a\":" + std::string(depth, '[')).ok());
  }
}

TEST_CASE("json_args: anything but an object is an error") {
  for (const std::string_view text : {"", "  ", "[1]", "42", "\"a\""}) {
    CAPTURE(text);
    CHECK(!decode_json_record(text).ok());
  }
}
