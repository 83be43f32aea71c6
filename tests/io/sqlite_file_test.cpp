// Read-only databases: their contents, reading of damaged ones, and that nothing is written.
#include "core/io/tables/sqlite_file.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>

#include "tests/support/golden.h"
#include "tests/support/places.h"
#include "tests/support/temp_dir.h"

using namespace tv;
using namespace tv::test;
namespace fs = std::filesystem;

namespace {

std::string small_export() { return read_file(source_dir() + "/tests/fixtures/nsys_sqlite/small.sqlite"); }

const SqliteTable* table_named(const std::vector<SqliteTable>& tables, std::string_view name) {
  const auto found = std::ranges::find(tables, name, &SqliteTable::name);
  return found == tables.end() ? nullptr : &*found;
}

std::int64_t count_of(SqliteFile& file, const std::string& what) {
  auto rows = file.select("SELECT count(*) FROM " + what);
  REQUIRE(rows.ok());
  REQUIRE(rows->next());
  return rows->integer_or(0, -1);
}

}  // namespace

TEST_CASE("sqlite: tables are listed by name with their columns, and a missing column selects NULL") {
  auto file = SqliteFile::open(source_dir() + "/tests/fixtures/nsys_sqlite/small.sqlite");
  REQUIRE(file.ok());
  const auto tables = file->tables();
  REQUIRE(tables.ok());
  CHECK(std::ranges::is_sorted(tables.value(), {}, &SqliteTable::name));
  const SqliteTable* const kernels = table_named(tables.value(), "CUPTI_ACTIVITY_KIND_KERNEL");
  REQUIRE(kernels);
  CHECK(kernels->has("end"));
  CHECK(!kernels->has("no such column"));
  CHECK(sqlite_select(*kernels, {"rowid", "end", "no such column"}) ==
        "SELECT rowid, \"end\", NULL FROM \"CUPTI_ACTIVITY_KIND_KERNEL\"");
  auto rows = file->select(sqlite_select(*kernels, {"rowid", "start", "no such column"}));
  REQUIRE(rows.ok());
  std::int64_t row = 0;
  while (rows->next()) {
    CHECK(rows->integer(0) == ++row);
    CHECK(rows->integer(1).has_value());
    CHECK(rows->is_null(2));
    CHECK(!rows->integer(2));
    CHECK(!rows->take_not_an_integer());  // NULL does not count as a wrong type
  }
  CHECK(rows->error().empty());
  CHECK(row == count_of(*file, kernels->name));
  CHECK(!file->select("SELECT nothing FROM nowhere").ok());
}

TEST_CASE("sqlite: the row number has another name where a column is called rowid") {
  CHECK(SqliteTable{"t", {"start"}}.row_number() == "rowid");
  const SqliteTable taken{"t", {"RowId", "start", "oid"}};
  CHECK(taken.row_number() == "_rowid_");
  CHECK(sqlite_select(taken, {"rowid", "start", "end"}) == "SELECT _rowid_, \"start\", NULL FROM \"t\"");
  CHECK(SqliteTable{"t", {"ROWID", "_rowid_", "OID"}}.row_number().empty());
}

TEST_CASE("sqlite: values that are not integers are reported") {
  auto file = SqliteFile::open(source_dir() + "/tests/fixtures/nsys_sqlite/small.sqlite");
  REQUIRE(file.ok());
  auto rows = file->select("SELECT 7, '8', 'seven', 9.0, x'00', 1e300");
  REQUIRE(rows.ok());
  REQUIRE(rows->next());
  CHECK(rows->integer(0) == 7);
  CHECK(rows->integer(1) == 8);
  CHECK(rows->integer(3) == 9);
  CHECK(!rows->take_not_an_integer());
  for (const int column : {2, 4, 5}) {
    CAPTURE(column);
    CHECK(!rows->integer(column));
    CHECK(rows->take_not_an_integer());
  }
  CHECK(rows->blob(4) == std::string_view("\0", 1));
}

TEST_CASE("sqlite: a file with an odd name in a read-only folder opens, and nothing is written") {
  const TempDir folder;
  const std::string path = folder.write("a ?mode=rw#1%20/x.sqlite", small_export());
  const fs::path around = fs::path(path).parent_path();
  fs::permissions(around, fs::perms::owner_read | fs::perms::owner_exec);
  auto file = SqliteFile::open(path);
  REQUIRE(file.ok());
  CHECK(count_of(*file, "StringIds") > 0);
  auto made = file->select("CREATE TABLE t (x)");
  REQUIRE(made.ok());  // preparing it works,
  CHECK(!made->next());  // running it fails
  CHECK(!made->error().empty());
  fs::permissions(around, fs::perms::owner_all);
  CHECK(std::distance(fs::directory_iterator(around), fs::directory_iterator()) == 1);
  CHECK(read_file(path) == small_export());
}

TEST_CASE("sqlite: a file opens however many slashes its path begins with, and by a relative path") {
  const TempDir folder;
  const std::string path = folder.write("x.sqlite", small_export());
  REQUIRE(path.starts_with('/'));
  for (const std::string& spelled : {path, "/" + path, "//" + path, fs::relative(path).string()}) {
    CAPTURE(spelled);
    auto file = SqliteFile::open(spelled);
    REQUIRE_MESSAGE(file.ok(), file.error().text());
    CHECK(count_of(*file, "StringIds") > 0);
  }
}

TEST_CASE("sqlite: a truncated file is detected and still opens") {
  const TempDir folder;
  const std::string whole = small_export();
  const std::string path = folder.write("cut.sqlite", std::string_view(whole).substr(0, whole.size() / 2));
  const auto header = sqlite_header(path);
  REQUIRE(header.ok());
  CHECK(header.value().cut_off());
  auto file = SqliteFile::open(path);
  REQUIRE(file.ok());
  CHECK(file->tables().ok());
  CHECK(!sqlite_header(folder.write("none.sqlite", "SQLite format 3")).ok());
  const auto intact = sqlite_header(folder.write("whole.sqlite", whole));
  CHECK(!intact.value().cut_off());
}

TEST_CASE("sqlite: changes in a write-ahead log are detected") {
  const TempDir folder;
  const std::string path = folder.write("x.sqlite", small_export());
  CHECK(!find_sqlite_log(path));
  folder.write("x.sqlite-wal", "");
  CHECK(!find_sqlite_log(path));
  folder.write("x.sqlite-wal", "frames");
  CHECK(find_sqlite_log(path) == path + "-wal");
}
