#include "core/base/text/path_parts.h"

#include <doctest/doctest.h>

using namespace tv;

TEST_CASE("path_parts: a path is split into its folder and its last part") {
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
