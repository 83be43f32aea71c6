#include "core/io/written/temporary_file.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "tests/support/temp_dir.h"

using namespace tv;
using namespace tv::test;

TEST_CASE("temporary file: appended bytes are read at any offset, and the folder looks empty") {
  TempDir folder;
  const char* const before = std::getenv("TMPDIR");
  const std::string old = before ? before : "";
  ::setenv("TMPDIR", folder.path().c_str(), 1);
  auto file = TemporaryFile::create();
  before ? ::setenv("TMPDIR", old.c_str(), 1) : ::unsetenv("TMPDIR");
  REQUIRE(file.ok());
  CHECK(std::filesystem::is_empty(folder.path()));
  REQUIRE(file->append("abc").ok());
  REQUIRE(file->append("defgh").ok());
  REQUIRE(file->flush().ok());
  std::string middle(4, ' ');
  REQUIRE(file->read_at(2, middle).ok());
  CHECK(middle == "cdef");
  std::string beyond(2, ' ');
  const auto failed = file->read_at(7, beyond);
  REQUIRE_FALSE(failed.ok());
  CHECK_FALSE(failed.error().remedy.empty());
}
