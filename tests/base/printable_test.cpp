#include "core/base/text/printable.h"

#include <doctest/doctest.h>

#include <string>

namespace tv {
namespace {

TEST_CASE("printable: terminal control and text direction characters are escaped") {
  CHECK(printable("\x1b[2J\x1b]52;c;aGk=\x07 x") == "\\u001b[2J\\u001b]52;c;aGk=\\u0007 x");
  CHECK(printable("a\rb\bc\x7f") == "a\\u000db\\u0008c\\u007f");
  CHECK(printable(std::string("a\0b", 3)) == "a\\u0000b");
  CHECK(printable("\xC2\x9B" "31m") == "\\u009b31m");  // CSI as one character
  CHECK(printable("x\xE2\x80\xAE" "cod.exe") == "x\\u202ecod.exe");
  CHECK(printable("\xE2\x81\xA6") == "\\u2066");
  CHECK(printable("x\xD8\x9C" "y") == "x\\u061cy");  // the Arabic letter mark
}

TEST_CASE("printable: letters, line ends, tabs and truncated UTF-8 are kept") {
  const std::string text = "aten::mm\t1 µs\n训练 – “é” ؛ \xC2\xA0";
  CHECK(printable(text) == text);
  CHECK(printable("") == "");
  CHECK(printable("a,b\r\n") == "a,b\r\n");
  CHECK(printable("a\r\r\n") == "a\\u000d\r\n");
  CHECK(printable("a\xC2") == "a\xC2");
  CHECK(printable("a\xE2\x80") == "a\xE2\x80");
  CHECK(printable("a\xD8") == "a\xD8");
}

// U+200E and its like end with a byte above 0x7F; a control byte in that place was once taken as part of the character.
TEST_CASE("printable: an incomplete UTF-8 sequence does not hide a control character after it") {
  CHECK(printable("\xE2\x80\x0E\x1b[2J") == "\xE2\x80\\u000e\\u001b[2J");
  CHECK(printable("\xE2\x80\x1B]0;\xC2\x9B") == "\xE2\x80\\u001b]0;\\u009b");
}

TEST_CASE("printable: no control bytes remain except line end and tab") {
  std::string all;
  for (int c = 0; c < 256; ++c) all += static_cast<char>(c);
  for (const char c : printable(all)) {
    const auto byte = static_cast<unsigned char>(c);
    CHECK((byte >= 0x20 || c == '\n' || c == '\t'));
    CHECK(byte != 0x7F);
  }
}

}  // namespace
}  // namespace tv
