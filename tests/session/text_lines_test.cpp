#include "core/session/records/text_lines.h"

#include <doctest/doctest.h>

#include "core/session/records/problem_lines.h"
#include "tests/support/temp_dir.h"

using namespace tv;
using namespace tv::test;

namespace {

std::optional<std::uint64_t> line_of_byte(const std::string& path, std::uint64_t byte, std::uint64_t most) {
  return lines_of_bytes(path, {&byte, 1}, most).front();
}

}  // namespace

TEST_CASE("lines_of_bytes: counts lines, as editors do") {
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

TEST_CASE("lines_of_bytes: several bytes have the lines that each has alone") {
  const TempDir folder;
  const std::string path = folder.write("a.txt", "one\ntwo\n\nfour");
  const std::vector<std::uint64_t> bytes = {0, 3, 4, 4, 8, 9, 13, 1000};
  for (const std::uint64_t most : {std::uint64_t{0}, std::uint64_t{8}, std::uint64_t{5000}}) {
    const auto lines = lines_of_bytes(path, bytes, most);
    REQUIRE(lines.size() == bytes.size());
    for (std::size_t i = 0; i < bytes.size(); ++i) CHECK(lines[i] == line_of_byte(path, bytes[i], most));
  }
  CHECK(lines_of_bytes(path, {}, 100).empty());
  CHECK(lines_of_bytes(folder.path() + "/none", bytes, 100) == std::vector<std::optional<std::uint64_t>>(bytes.size()));
}

TEST_CASE("problem lines: each example in a text has its line; rows of a database and bytes of the file on disk have none") {
  const TempDir folder;
  std::vector<SourceInfo> sources(3);
  const auto kind = static_cast<ProblemKind>(0), other = static_cast<ProblemKind>(1);
  sources[0].path = folder.write("a.txt", "one\ntwo\n\nfour");
  sources[0].problems.add(kind, 9, "four");
  sources[0].problems.add(other, 4, "two");
  sources[0].problems.add(ProblemKind::truncated_archive, 8, "a byte of the archive");
  sources[0].problems.add(ProblemKind::read_error, 8, "a byte of the file on disk");
  sources[1].path = folder.write("b.sqlite", "1\n2\n3\n");
  sources[1].problems.add(kind, 4, "row 4");
  sources[1].by_row = true;
  sources[2].path = folder.path() + "/gone";
  sources[2].problems.add(kind, 4, "gone");
  const ProblemLines lines = problem_lines(sources);
  CHECK(lines.size() == 2);
  CHECK(line_at(lines, sources[0], 9) == 4);
  CHECK(line_at(lines, sources[0], 4) == 2);
  CHECK(!line_at(lines, sources[0], 5));
  CHECK(!line_at(lines, sources[0], 8));
  CHECK(!line_at(lines, sources[1], 4));
  CHECK(!line_at(lines, sources[2], 4));
  for (const ProblemKind on_disk : {ProblemKind::truncated_archive, ProblemKind::read_error, ProblemKind::damaged_part}) {
    CHECK(!is_placed_in_text(sources[0], on_disk));
  }
  CHECK(is_placed_in_text(sources[0], ProblemKind::bad_record));
  CHECK(!is_placed_in_text(sources[1], ProblemKind::bad_record));
  CHECK(problem_lines(sources, {}, 4) == ProblemLines{{{sources[0].path, 4}, 2}});
  std::stop_source stop;
  stop.request_stop();
  CHECK(problem_lines(sources, stop.get_token()).empty());
}
