// Complete lines of a text that is still being written.
#include "core/io/streams/whole_lines.h"

#include <doctest/doctest.h>

#include <string>

#include "core/io/files/open_stream.h"
#include "core/io/streams/temporary_stream.h"
#include "core/io/streams/text_feed.h"
#include "tests/support/temp_dir.h"

namespace tv {
namespace {

std::string text_in_whole_lines(const std::string& path) {
  auto opened = open_stream(path);
  REQUIRE(opened.ok());
  auto lines = whole_lines(std::move(*opened));
  REQUIRE(lines.ok());
  std::string text(1 << 20, '\0');
  const auto n = read_fully(**lines, text);
  REQUIRE(n.ok());
  text.resize(n.value());
  std::string again(text.size() + 10, '\0');
  const auto m = (*lines)->read_at(0, again);
  REQUIRE(m.ok());
  again.resize(m.value());
  CHECK(((*lines)->reach() == 0 || again == text));
  return text;
}

}  // namespace

TEST_CASE("whole lines: text after the last newline is left out") {
  const test::TempDir folder;
  const auto of = [&](const std::string& text) { return text_in_whole_lines(folder.write("a.log", text)); };
  CHECK(of("one\ntwo\n") == "one\ntwo\n");
  CHECK(of("one\ntwo") == "one\n");
  CHECK(of("one") == "");
  CHECK(of("") == "");
  CHECK(of("\n") == "\n");
  const std::string longer(200'000, 'x');  // longer than one read
  CHECK(of(longer) == "");
  CHECK(of("one\n" + longer) == "one\n");
  CHECK(of(longer + "\n" + longer + "\nrest") == longer + "\n" + longer + "\n");
}

TEST_CASE("whole lines: damage to the text is reported at the end of the text") {
  auto bytes = TemporaryFile::create();
  REQUIRE(bytes.ok());
  REQUIRE(bytes->append("one\ntw").ok());
  REQUIRE(bytes->flush().ok());
  auto file = std::make_shared<const TemporaryFile>(std::move(*bytes));
  auto lines = whole_lines(make_temporary_stream(std::move(file), 0, 6, "the tar archive is damaged"));
  REQUIRE(lines.ok());
  CHECK((*lines)->damage() == "");
  std::string text(100, '\0');
  CHECK(read_fully(**lines, text).value() == 4);
  CHECK((*lines)->damage() == "the tar archive is damaged");
}

TEST_CASE("whole lines: text appended after opening is not seen") {
  const test::TempDir folder;
  auto opened = open_stream(folder.write("a.log", "one\ntw"));
  REQUIRE(opened.ok());
  auto lines = whole_lines(std::move(*opened));
  REQUIRE(lines.ok());
  folder.append("a.log", "o\nthree\n");
  std::string text(100, '\0');
  CHECK(read_fully(**lines, text).value() == 4);
  CHECK((*lines)->reach() == 4);
  (*lines)->seek(2);
  CHECK(read_fully(**lines, text).value() == 2);
}

}  // namespace tv
