#include "core/base/text/path_parts.h"

#include <doctest/doctest.h>

using namespace tv;

TEST_CASE("path_parts: the last part and the folder") {
  CHECK(last_part("/a/b/c.json") == "c.json");
  CHECK(folder_of("/a/b/c.json") == "/a/b");
  CHECK(last_part("c.json") == "c.json");
  CHECK(folder_of("c.json") == "");
  CHECK(last_part("/c.json") == "c.json");
  CHECK(folder_of("/c.json") == "");
  CHECK(last_part("/a/b/") == "");
  CHECK(folder_of("/a/b/") == "/a/b");
  CHECK(last_part("") == "");
  CHECK(folder_of("") == "");
}
