#include "core/base/text/utf8.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "core/base/text/json_text.h"
#include "tests/support/gen_trace.h"

using namespace tv;
using namespace tv::test;

namespace {

std::string encoded(char32_t c) {
  const auto byte = [](char32_t bits) { return static_cast<char>(static_cast<unsigned char>(bits)); };
  if (c < 0x80) return {byte(c)};
  if (c < 0x800) return {byte(0xC0 | c >> 6), byte(0x80 | (c & 63))};
  if (c < 0x10000) return {byte(0xE0 | c >> 12), byte(0x80 | (c >> 6 & 63)), byte(0x80 | (c & 63))};
  return {byte(0xF0 | c >> 18), byte(0x80 | (c >> 12 & 63)), byte(0x80 | (c >> 6 & 63)), byte(0x80 | (c & 63))};
}

bool is_character(char32_t c) { return c <= 0x10FFFF && (c < 0xD800 || c > 0xDFFF); }

// Decodes by definition: a sequence is valid if its value encodes to the same bytes.
std::size_t naive_length(std::string_view text) {
  if (text.empty()) return 0;
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const std::size_t length = byte(0) < 0x80 ? 1 : byte(0) >> 5 == 6 ? 2 : byte(0) >> 4 == 14 ? 3 : byte(0) >> 3 == 30 ? 4 : 0;
  if (length == 0 || length > text.size()) return 0;
  char32_t c = length == 1 ? byte(0) : byte(0) & (0xFFu >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) c = c << 6 | (byte(i) & 63);
  return is_character(c) && encoded(c) == text.substr(0, length) ? length : 0;
}

}  // namespace

TEST_CASE("utf8: every sequence of one to three bytes has the length given by the definition") {
  std::size_t wrong = 0;
  std::string text(3, '\0');
  for (unsigned bytes = 0; bytes < 1u << 24; ++bytes) {
    for (std::size_t i = 0; i < 3; ++i) text[i] = static_cast<char>(bytes >> (16 - 8 * i) & 0xFF);
    wrong += utf8_length(text) != naive_length(text) ? 1 : 0;
    if ((bytes & 0xFF) == 0) {  // the same, truncated
      const std::string_view two(text.data(), 2), one(text.data(), 1);
      wrong += utf8_length(two) != naive_length(two) ? 1 : 0;
      wrong += utf8_length(one) != naive_length(one) ? 1 : 0;
    }
  }
  CHECK(wrong == 0);
  CHECK(utf8_length("") == 0);
}

TEST_CASE("utf8: every character is decoded, and invalid sequences are rejected") {
  std::size_t wrong = 0;
  for (char32_t c = 0; c <= 0x10FFFF; ++c) {
    const std::string text = encoded(c) + "x";
    wrong += utf8_length(text) != (is_character(c) ? text.size() - 1 : 0) ? 1 : 0;
    if (is_character(c)) wrong += utf8_code_point(text) != c ? 1 : 0;
  }
  CHECK(wrong == 0);
  CHECK(utf8_length("\xF4\x90\x80\x80") == 0);  // beyond U+10FFFF
  CHECK(utf8_length("\xF0\x8F\xBF\xBF") == 0);  // overlong
  CHECK(utf8_length("\xF0\x9F\x98") == 0);      // truncated
  CHECK(utf8_length("\xF8\x88\x80\x80\x80") == 0);
  CHECK(utf8_code_point("\xFF") == 0xFFFD);
}

TEST_CASE("valid_utf8: only invalid bytes are replaced, one by one") {
  CHECK(valid_utf8("") == "");
  CHECK(valid_utf8("plain, \xC3\xBC, \xF0\x9F\x98\x80") == "plain, \xC3\xBC, \xF0\x9F\x98\x80");
  CHECK(valid_utf8("a\xFF" "b\xC3") == "a\xEF\xBF\xBD" "b\xEF\xBF\xBD");
}

TEST_CASE("append_json_quoted: the quoted text is appended to the existing text") {
  std::string out = "x";
  append_json_quoted(out, "a\"\xC3\xBC\xFF\n plain");
  CHECK(out == "x\"a\\\"\xC3\xBC\xEF\xBF\xBD\\n plain\"");
}

TEST_CASE("utf8: texts are cut between characters") {
  CHECK(utf8_prefix("short", 5) == "short");
  CHECK(utf8_prefix("short", 9) == "short");
  CHECK(utf8_prefix("longer", 5) == "longe");
  CHECK(utf8_prefix("größe", 3) == "gr");
  CHECK(utf8_prefix("größe", 4) == "grö");
  CHECK(utf8_prefix("ö", 1) == "");
  CHECK(shortened_utf8("short", 5) == "short");
  CHECK(shortened_utf8("longer", 5) == "longe...");
  CHECK(shortened_utf8("größe", 3) == "gr...");   // the ö is two bytes
  CHECK(shortened_utf8("größe", 4) == "grö...");
  CHECK(shortened_utf8("a\xE5\x89\x8D", 2) == "a...");
  CHECK(shortened_utf8("a\xE5\x89\x8D", 3) == "a...");
  CHECK(shortened_utf8("\xE5\x89\x8D!", 3) == "\xE5\x89\x8D...");
  CHECK(shortened_utf8("ab\xFF\xFF\xFFxyz", 4) == "ab\xFF\xFF...");  // not part of any character
  CHECK(shortened_utf8("\x89\x89\x89\x89\x89", 4).size() == 7);
  CHECK(shortened_utf8("🚀🚀", 7) == "🚀...");
  CHECK(shortened_utf8("🚀", 1) == "...");
}

TEST_CASE("json_quoted: escapes only what JSON requires") {
  CHECK(json_quoted("") == "\"\"");
  CHECK(json_quoted("a\"b\\c/d") == "\"a\\\"b\\\\c/d\"");
  CHECK(json_quoted("\n\r\t\b\f") == "\"\\n\\r\\t\\u0008\\u000c\"");
  CHECK(json_quoted(std::string_view("\0\x1f\x7f", 3)) == "\"\\u0000\\u001f\x7f\"");
  CHECK(json_quoted("größe 前 🚀") == "\"größe 前 🚀\"");
  CHECK(json_quoted("a\xFF\xE5\x89z") == "\"a\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBDz\"");
}

TEST_CASE("json_quoted: another parser reads back the same text") {
  Random random(11);
  for (int i = 0; i < 3000; ++i) {
    std::string text, valid;
    for (std::int64_t n = random.in(0, 12); n > 0; --n) {
      const char32_t c = static_cast<char32_t>(random.in(0, random.chance(0.5) ? 0x7F : 0x10FFFF));
      if (is_character(c)) text += encoded(c);
    }
    CAPTURE(text);
    REQUIRE(nlohmann::json::parse(json_quoted(text)).get<std::string>() == text);
    // Random bytes also give a valid string, but not the same one.
    for (std::int64_t n = random.in(0, 12); n > 0; --n) text += static_cast<char>(random.in(-128, 127));
    REQUIRE(nlohmann::json::accept(json_quoted(text)));
  }
}
