#include "core/session/records/text_lines.h"

#include <doctest/doctest.h>

#include "tests/support/temp_dir.h"

using namespace tv;
using namespace tv::test;

TEST_CASE("line_of_byte: counts lines, as editors do") {
  const TempDir folder;
  const std::string path = folder.write("a.txt", "one\ntwo\n\nfour");
  CHECK(line_of_byte(path, 0, 100) == 1);
  CHECK(line_of_byte(path, 3, 100) == 1);  // the end of a line belongs to it
  CHECK(line_of_byte(path, 4, 100) == 2);
  CHECK(line_of_byte(path, 8, 100) == 3);
  CHECK(line_of_byte(path, 9, 100) == 4);
  CHECK(!line_of_byte(path, 9, 8));
  CHECK(!line_of_byte(path, 1000, 5000));
  CHECK(!line_of_byte(folder.path() + "/none", 1, 100));
}
