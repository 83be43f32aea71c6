#include "core/base/text/string_table.h"

#include <doctest/doctest.h>

#include <map>
#include <string>

#include "tests/support/gen_trace.h"

using namespace tv;
using namespace tv::test;

TEST_CASE("string_table: ids are dense, in order of first use") {
  StringTable table;
  CHECK(table.find("a") == kNone<StrId>);
  CHECK(idx(table.intern("b")) == 0);
  CHECK(idx(table.intern("")) == 1);
  CHECK(idx(table.intern("a")) == 2);
  CHECK(idx(table.intern("b")) == 0);
  CHECK(idx(table.intern(std::string_view("a\0", 2))) == 3);  // a NUL is a byte like any other
  CHECK(table.size() == 4);
  CHECK(table[StrId{1}] == "");
  CHECK(table[StrId{3}].size() == 2);
  CHECK(table.find("a") == StrId{2});
  CHECK(table.find("c") == kNone<StrId>);
}

TEST_CASE("string_table: the empty text may come first") {
  StringTable table;
  CHECK(idx(table.intern("")) == 0);
  CHECK(idx(table.intern("")) == 0);
  CHECK(table[StrId{0}].empty());
}

TEST_CASE("string_table: views stay valid through growth to 100000 texts and moves") {
  StringTable table;
  const std::string_view first = table[table.intern("the first text")];
  const char* const place = first.data();
  for (int i = 0; i < 100'000; ++i) REQUIRE(idx(table.intern("text " + std::to_string(i))) == static_cast<std::size_t>(i) + 1);
  CHECK(first == "the first text");
  CHECK(table[StrId{0}].data() == place);

  StringTable moved = std::move(table);
  CHECK(moved[StrId{0}].data() == place);
  StringTable assigned;
  assigned.intern("something else");
  assigned = std::move(moved);
  CHECK(assigned[StrId{0}].data() == place);
  CHECK(assigned.size() == 100'001);
  for (int i = 0; i < 100'000; i += 777) {
    const std::string text = "text " + std::to_string(i);
    REQUIRE(idx(assigned.find(text)) == static_cast<std::size_t>(i) + 1);
    REQUIRE(idx(assigned.intern(text)) == static_cast<std::size_t>(i) + 1);
  }
  CHECK(assigned.bytes() > 100'000 * 6);
}

TEST_CASE("string_table: texts of any length get the same ids as in a map") {
  for (const std::uint64_t seed : seeds(20)) {
    CAPTURE(seed);
    Random random(seed);
    StringTable table;
    std::map<std::string, std::size_t> expected;
    for (int i = 0; i < 2000; ++i) {
      const auto length = static_cast<std::size_t>(random.chance(0.01) ? random.in(0, 300'000) : random.in(0, 4));
      std::string text;
      for (std::size_t c = 0; c < std::min<std::size_t>(length, 8); ++c) text += random.one_of(std::string("ab"));
      text.resize(length, 'x');
      const auto [at, fresh] = expected.try_emplace(text, expected.size());
      REQUIRE(idx(table.intern(text)) == at->second);
    }
    REQUIRE(table.size() == expected.size());
    for (const auto& [text, id] : expected) REQUIRE(table[id_at<StrId>(id)] == text);
  }
}

TEST_CASE("string_table: reserve does not change the contents") {
  StringTable table;
  table.intern("a");
  table.reserve(1'000);
  table.reserve(0);
  CHECK(table.find("a") == id_at<StrId>(0));
  for (std::size_t i = 1; i < 3'000; ++i) CHECK(table.intern(std::to_string(i)) == id_at<StrId>(i));
  CHECK(table.intern("a") == id_at<StrId>(0));
  CHECK(table.find("2999") == id_at<StrId>(2999));
}

TEST_CASE("string_table: a table made from the first texts of another outlives it and grows independently") {
  for (const std::uint64_t seed : seeds(20)) {
    CAPTURE(seed);
    Random random(seed);
    auto other = std::make_unique<StringTable>();
    std::vector<std::string> texts;
    const auto text_at = [&](std::size_t i) { return std::string(i % 7 == 0 ? i : i % 50, 'x') + std::to_string(i); };
    for (std::size_t i = 0; i < 500; ++i) REQUIRE(idx(other->intern(i == 250 ? "" : text_at(i))) == i);
    const auto count = static_cast<std::size_t>(random.one_of(std::vector<std::int64_t>{0, 1, 250, 251, 500, random.in(0, 500)}));
    for (std::size_t i = 0; i < count; ++i) texts.emplace_back((*other)[id_at<StrId>(i)]);
    StringTable table(*other, count);
    CHECK(table.bytes() <= other->bytes());
    if (count > 0) CHECK(table[StrId{0}].data() == (*other)[StrId{0}].data());
    const bool dropped = count < 500;
    if (dropped) CHECK(table.find(other->operator[](id_at<StrId>(499))) == kNone<StrId>);
    // Both continue independently.
    CHECK(idx(other->intern("of the other")) == 500);
    if (random.chance(0.5)) other.reset();
    for (std::size_t i = 0; i < 300; ++i) {
      texts.push_back("new " + std::to_string(i));
      REQUIRE(idx(table.intern(texts.back())) == count + i);
    }
    REQUIRE(table.size() == texts.size());
    for (std::size_t i = 0; i < texts.size(); ++i) {
      REQUIRE(table[id_at<StrId>(i)] == texts[i]);
      REQUIRE(idx(table.find(texts[i])) == i);
    }
    if (other) CHECK((*other)[id_at<StrId>(500)] == "of the other");
  }
}
