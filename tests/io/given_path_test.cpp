#include "core/io/files/given_path.h"

#include <doctest/doctest.h>

#include "core/io/files/find_files.h"
#include "tests/support/temp_dir.h"

using namespace tv;
using namespace tv::test;

TEST_CASE("local_path: paths are kept as given, and file URLs of this machine are decoded") {
  const std::pair<const char*, const char*> cases[] = {
      {"/tmp/a b.json", "/tmp/a b.json"},
      {"logs", "logs"},
      {"a%20b", "a%20b"},
      {"file:///tmp/a%20b%C3%A9%25.json", "/tmp/a b\xc3\xa9%.json"},
      {"file:///tmp/half%2", "/tmp/half%2"},
      {"file:///tmp/no%zz", "/tmp/no%zz"},
      {"FILE://localhost/x", "/x"},
      {"file://node7/x", "/x"},
      {"file://Node7.cluster.example/x", "/x"},
      {"://x", "://x"},
      {"a b://x", "a b://x"},
  };
  for (const auto& [text, path] : cases) {
    const auto& shown_text = text;  // clang 14: no binding in CAPTURE's lambda
    CAPTURE(std::string(shown_text));
    const auto found = local_path(text, "node7");
    REQUIRE(found.ok());
    CHECK(found.value() == path);
  }
}

TEST_CASE("local_path: remote addresses are refused with a reason") {
  const std::pair<const char*, const char*> cases[] = {
      {"file://otherhost/tmp", "another machine, otherhost"}, {"file://node70/tmp", "another machine, node70"},
      {"http://host/a.json", "a web address"},                  {"HTTPS://host/a.json", "a web address"},
      {"sftp://host/a.json", "another machine (sftp)"},       {"smb://host/a.json", "another machine (smb)"},
  };
  for (const auto& [text, why] : cases) {
    const auto& shown_text = text;  // clang 14: no binding in CAPTURE's lambda
    CAPTURE(std::string(shown_text));
    const auto found = local_path(text, "node7.cluster");
    REQUIRE(!found.ok());
    CHECK(found.error().text().find(why) != std::string::npos);
    CHECK(found.error().file == text);
    CHECK(!found.error().remedy.empty());
  }
}

TEST_CASE("find_files: a remote address does not open the local path of the same name") {
  const TempDir folder;
  const std::string file = folder.write("a b.json", "x");
  CHECK(find_files({"file://" + folder.path("a%20b.json")}).files == std::vector<std::string>{file});
  const FoundFiles found = find_files({"file://elsewhere" + file, "http://elsewhere/a.json"});
  CHECK(found.files.empty());
  REQUIRE(found.problems.size() == 2);
  CHECK(found.problems[0].message == "it is a file on another machine, elsewhere");
  CHECK(found.problems[1].remedy == "download it first: curl -O 'http://elsewhere/a.json'");
}

TEST_CASE("uri_list: lines are kept as given, and comments and blank lines are dropped") {
  CHECK(uri_list("# copied\r\nfile:///a\r\nfile://h/b c\r\n\r\n") == std::vector<std::string>{"file:///a", "file://h/b c"});
  CHECK(uri_list("x") == std::vector<std::string>{"x"});
  CHECK(uri_list("").empty());
}
