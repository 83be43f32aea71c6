#include "core/base/text/path_parts.h"

#include <doctest/doctest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

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

TEST_CASE("path_parts: the folders of a path are visited from the outermost to the innermost") {
  const auto folders = [](std::string_view path) {
    std::vector<std::string> out;
    for_each_folder_of(path, [&](std::string_view folder) { out.emplace_back(folder); });
    return out;
  };
  CHECK(folders("/a/b/c.json") == std::vector<std::string>{"", "/a", "/a/b"});
  CHECK(folders("a//b") == std::vector<std::string>{"a", "a/"});
  CHECK(folders("a/") == std::vector<std::string>{"a"});
  CHECK(folders("c.json").empty());
  CHECK(folders("").empty());
}

TEST_CASE("path_parts: paths below a folder are erased from sets and maps, and no others") {
  std::set<std::string> paths = {"/a", "/a b/x", "/a/b", "/a/c/d", "/ab", "/b/a"};
  erase_below(paths, "/a");
  CHECK(paths == std::set<std::string>{"/a", "/a b/x", "/ab", "/b/a"});
  std::map<std::string, int, std::less<>> numbers = {{"/a", 1}, {"/a/b", 2}, {"/a0", 3}};
  erase_below(numbers, "/a");
  CHECK(numbers == std::map<std::string, int, std::less<>>{{"/a", 1}, {"/a0", 3}});
  erase_below(numbers, "/z");
  CHECK(numbers.size() == 2);
}
