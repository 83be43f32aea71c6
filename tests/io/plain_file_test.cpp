#include "core/io/files/open_stream.h"
#include "core/io/streams/plain_file.h"

#include <doctest/doctest.h>

#include <sys/stat.h>

#include <cstdint>
#include <filesystem>

#include "tests/support/plain_user_linux.h"
#include "tests/support/temp_dir.h"

using namespace tv;
using namespace tv::test;

TEST_CASE("plain_file: reads at any offset, and gives fewer bytes only at the end") {
  const TempDir folder;
  const auto file = PlainFile::open(folder.write("a", "0123456789"));
  REQUIRE(file.ok());
  CHECK(file.value().size() == 10);
  const auto read = [&](std::uint64_t offset, std::size_t length) {
    std::string text(length, '?');
    const auto n = file.value().read_at(offset, text);
    REQUIRE(n.ok());
    return text.substr(0, n.value());
  };
  CHECK(read(0, 10) == "0123456789");
  CHECK(read(3, 4) == "3456");
  CHECK(read(8, 5) == "89");
  CHECK(read(10, 5) == "");
  CHECK(read(1'000'000, 5) == "");
  CHECK(read(0, 0) == "");
}

TEST_CASE("plain_file: reads give the same bytes for any alignment of the target within a page") {
  const TempDir folder;
  std::string text(100'000, '\0');
  for (std::size_t i = 0; i < text.size(); ++i) text[i] = static_cast<char>(i * 7 + i / 251);
  const auto file = PlainFile::open(folder.write("a", text));
  REQUIRE(file.ok());
  std::string target(text.size() + 4096 + 80, '?');
  char* const page = target.data() + 4096 - reinterpret_cast<std::uintptr_t>(target.data()) % 4096;
  for (const std::size_t offset : {0, 5, 4096})
    for (std::size_t beyond = 0; beyond < 40; ++beyond) {
      const std::size_t length = text.size() - offset - beyond;
      page[beyond + length] = '!';
      const auto n = file.value().read_at(offset, {page + beyond, length});
      REQUIRE(n.ok());
      REQUIRE(n.value() == length);
      CHECK(std::string_view(page + beyond, length) == std::string_view(text).substr(offset, length));
      CHECK(page[beyond + length] == '!');
    }
}

TEST_CASE("plain_file: a path that is not a regular file is an error at once") {
  const TempDir folder;
  REQUIRE(::mkfifo(folder.path("pipe").c_str(), 0600) == 0);
  const std::pair<std::string, const char*> cases[] = {
      {folder.path("missing"), "No such file"},
      {folder.path(), "not a regular file"},
      {folder.path("pipe"), "not a regular file"},  // open() must not wait for a writer
      {"", "No such file"},
  };
  for (const auto& [path, message] : cases) {
    const auto& shown_path = path;  // clang 14: lambdas cannot capture bindings
    CAPTURE(shown_path);
    const auto file = PlainFile::open(path);
    REQUIRE(!file.ok());
    CHECK(file.error().file == path);
    CHECK(file.error().text().find(message) != std::string::npos);
    CHECK(!file.error().remedy.empty());
  }
}

TEST_CASE("plain_file: a file without read permission is an error with a remedy") {
  const TempDir folder;
  const std::string path = folder.write("secret", "x");
  REQUIRE(::chmod(path.c_str(), 0) == 0);
  as_plain_user([&] {
    const auto file = PlainFile::open(path);
    REQUIRE(!file.ok());
    CHECK(file.error().message == "cannot open: Permission denied");
    CHECK(file.error().file == path);
    CHECK(file.error().remedy == "check the file's permissions");
    CHECK(file.error().of_system);
  });
}

TEST_CASE("plain_file: a move takes the file along") {
  const TempDir folder;
  auto a = PlainFile::open(folder.write("a", "aaa")), b = PlainFile::open(folder.write("b", "bb"));
  REQUIRE(a.ok());
  REQUIRE(b.ok());
  PlainFile moved = std::move(*a);
  CHECK(moved.path() == folder.path("a"));
  moved = std::move(*b);
  CHECK(moved.size() == 2);
  CHECK(moved.path() == folder.path("b"));
  std::string text(5, '?');
  const auto n = moved.read_at(0, text);
  REQUIRE(n.ok());
  CHECK(text.substr(0, n.value()) == "bb");
}

TEST_CASE("plain_file: a file truncated after opening gives fewer bytes") {
  const TempDir folder;
  const std::string path = folder.write("a", "0123456789");
  const auto file = PlainFile::open(path);
  REQUIRE(file.ok());
  std::filesystem::resize_file(path, 4);  // truncated after open(): no SIGBUS, only fewer bytes
  std::string text(10, '?');
  const auto n = file.value().read_at(0, text);
  REQUIRE(n.ok());
  CHECK(n.value() == 4);
}

TEST_CASE("identity_of: differs once a file has grown or has a new modification time") {
  const TempDir folder;
  const std::string path = folder.write("a", "x");
  const auto before = identity_of(path);
  REQUIRE(before.ok());
  CHECK(before.value() == identity_of(path).value());
  CHECK(before.value().size == 1);
  folder.append("a", "y");
  CHECK(!(before.value() == identity_of(path).value()));
  const auto grown = identity_of(path);
  const auto later = std::filesystem::last_write_time(path) + std::chrono::seconds(2);
  std::filesystem::last_write_time(path, later);
  CHECK(!(grown.value() == identity_of(path).value()));
  CHECK(!identity_of(folder.path("missing")).ok());
}
