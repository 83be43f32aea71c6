#include "core/base/text/terminal_codes.h"

#include <doctest/doctest.h>

using namespace tv;

TEST_CASE("terminal_codes: the length of a code at the start of a text is found") {
  CHECK(terminal_code_length("\x1b[36mworker") == 5);
  CHECK(terminal_code_length("\x1b[0m") == 4);
  CHECK(terminal_code_length("\x1b[m") == 3);
  CHECK(terminal_code_length("\x1b[1;31m") == 7);
  CHECK(terminal_code_length("\x1b[2K") == 4);
  CHECK(terminal_code_length("\x1b[?25h") == 6);
  CHECK(terminal_code_length("\x1b[38;5;4mblue") == 9);
  for (const char* none : {"", "worker", "\x1b", "\x1b[", "\x1b[36", "\x1b[36\n", "\x1b(B", " \x1b[36m"}) CHECK(terminal_code_length(none) == 0);
}

TEST_CASE("terminal_codes: a code at the end of a text is found, whatever is before it") {
  for (const std::string code : {"\x1b[36m", "\x1b[m", "\x1b[1;36m", "\x1b[38;2;255;255;255m", "\x1b[2K", "\x1b[?25h", "\x1b[["}) {
    for (const std::string before : {"", "text", "12;3", "\x1b[", "\x1b[0m", "\n"}) {
      CAPTURE(before);
      CAPTURE(code);
      CHECK(ends_with_terminal_code(before + code));
      CHECK(!ends_with_terminal_code(before + code + "a"));
    }
    for (std::size_t cut = 0; cut < code.size(); ++cut) CHECK(!ends_with_terminal_code(code.substr(0, cut)));
    CHECK(!ends_with_terminal_code(code.substr(1)));
  }
  for (const char* none : {"m", "[36m", "36m", "\x1b[3\n6m", "\x1b(B", "\x1b m"}) CHECK(!ends_with_terminal_code(none));
}

TEST_CASE("terminal_codes: removing codes keeps all other text") {
  CHECK(without_terminal_codes("") == "");
  CHECK(without_terminal_codes("plain [36m text") == "plain [36m text");
  CHECK(without_terminal_codes("\x1b[36m(worker)\x1b[0m says \x1b[1;31mno\x1b[0m") == "(worker) says no");
  CHECK(without_terminal_codes("\x1b[2K\x1b[1A100 %") == "100 %");
  CHECK(without_terminal_codes("an escape \x1b alone") == "an escape \x1b alone");
  CHECK(without_terminal_codes("none \x1b[36\nhere") == "none \x1b[36\nhere");
  for (const char* cut : {"text\x1b[", "text\x1b[3", "text\x1b[36", "text\x1b[36m"}) CHECK(without_terminal_codes(cut) == "text");
}
