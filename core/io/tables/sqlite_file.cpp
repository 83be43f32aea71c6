#include "core/io/tables/sqlite_file.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <limits>

#include "core/base/text/ascii.h"

namespace tv {
namespace {

// A path as a URI, with special characters escaped.
std::string uri_of(const std::string& path) {
  // Without an empty authority, SQLite would take the first part of "//tmp/a" for the name of a machine.
  std::string out = path.starts_with('/') ? "file://" : "file:";
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = std::isalnum(byte) || c == '/' || c == '-' || c == '_' || c == '.' || c == '~';
    if (plain) {
      out += c;
    } else {
      out += fmt::format("%{:02X}", byte);
    }
  }
  return out + "?mode=ro&immutable=1";
}

constexpr int kLongestValue = 256 << 20;

void set_limits(sqlite3* file) {
  // The file's author must not be able to run code, so its schema may use only functions that SQLite considers harmless.
  sqlite3_db_config(file, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_limit(file, SQLITE_LIMIT_LENGTH, kLongestValue);
  // With this, SQLite opens a file that is shorter than its header says, and reads the intact part of a damaged schema. Its
  // defensive mode would refuse both, and is not needed, because nothing is written through this connection.
  sqlite3_exec(file, "PRAGMA writable_schema=ON", nullptr, nullptr, nullptr);
}

constexpr int kReadOnly = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX;

}  // namespace

bool SqliteTable::has(std::string_view column) const {
  return std::ranges::find(columns, column) != columns.end();
}

std::string_view SqliteTable::row_number() const {
  for (const std::string_view alias : {"rowid", "_rowid_", "oid"}) {
    if (std::ranges::none_of(columns, [&](const std::string& column) { return lower_case(column) == alias; })) return alias;
  }
  return {};
}

void SqliteRows::Finalize::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

bool SqliteRows::next() {
  not_an_integer_ = false;
  const int state = sqlite3_step(statement_.get());
  if (state == SQLITE_ROW) return true;
  if (state != SQLITE_DONE) error_ = sqlite3_errmsg(file_);
  return false;
}

bool SqliteRows::is_null(int column) const { return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL; }
bool SqliteRows::is_text(int column) const { return sqlite3_column_type(statement_.get(), column) == SQLITE_TEXT; }
bool SqliteRows::is_blob(int column) const { return sqlite3_column_type(statement_.get(), column) == SQLITE_BLOB; }

std::optional<std::int64_t> SqliteRows::integer(int column) {
  sqlite3_value* const value = sqlite3_column_value(statement_.get(), column);
  switch (sqlite3_value_type(value)) {
    case SQLITE_INTEGER: return sqlite3_value_int64(value);
    case SQLITE_NULL: return std::nullopt;
    case SQLITE_FLOAT: {
      const double real = sqlite3_value_double(value);
      if (real >= -9.2e18 && real <= 9.2e18) return static_cast<std::int64_t>(real);
      break;
    }
    case SQLITE_TEXT:
      if (const auto number = whole_number(text(column))) return number;
      break;
    default: break;
  }
  not_an_integer_ = true;
  return std::nullopt;
}

std::optional<double> SqliteRows::number(int column) {
  const int type = sqlite3_column_type(statement_.get(), column);
  if (type == SQLITE_FLOAT || type == SQLITE_INTEGER) return sqlite3_column_double(statement_.get(), column);
  return std::nullopt;
}

std::string_view SqliteRows::text(int column) {
  const auto* const begin = reinterpret_cast<const char*>(sqlite3_column_text(statement_.get(), column));
  if (!begin) return {};
  return {begin, static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column))};
}

std::string_view SqliteRows::blob(int column) {
  const auto* const begin = static_cast<const char*>(sqlite3_column_blob(statement_.get(), column));
  if (!begin) return {};
  return {begin, static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column))};
}

int SqliteRows::columns() const { return sqlite3_column_count(statement_.get()); }
std::string_view SqliteRows::column_name(int column) const {
  const char* const name = sqlite3_column_name(statement_.get(), column);
  return name ? name : std::string_view();
}

void SqliteFile::Close::operator()(sqlite3* file) const { sqlite3_close_v2(file); }

Result<SqliteFile> SqliteFile::open(const std::string& path) {
  sqlite3* file = nullptr;
  const int state = sqlite3_open_v2(uri_of(path).c_str(), &file, kReadOnly, nullptr);
  SqliteFile out(file);
  if (state != SQLITE_OK) {
    return Error{file ? sqlite3_errmsg(file) : "out of memory", path, {}, "check that the file can be read"};
  }
  set_limits(file);
  return out;
}

Result<SqliteRows> SqliteFile::select(const std::string& sql) {
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v2(file_.get(), sql.c_str(), static_cast<int>(sql.size()), &statement, nullptr) != SQLITE_OK) {
    return Error{sqlite3_errmsg(file_.get()), {}, {}, {}};
  }
  return SqliteRows(file_.get(), statement);
}

Result<std::vector<SqliteTable>> SqliteFile::tables() {
  // Without ORDER BY, SQLite returns the first names even if the list is damaged further on.
  auto names = select("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite~_%' ESCAPE '~'");
  if (!names) return names.error();
  std::vector<SqliteTable> out;
  while (names->next()) out.push_back({std::string(names->text(0)), {}});
  std::ranges::sort(out, {}, &SqliteTable::name);
  if (!names->error().empty() && out.empty()) return Error{names->error(), {}, {}, {}};
  for (SqliteTable& table : out) {
    auto columns = select(fmt::format("SELECT * FROM {} LIMIT 0", sqlite_quoted(table.name)));
    if (!columns) continue;  // a virtual table of a missing module
    for (int c = 0; c < columns->columns(); ++c) table.columns.emplace_back(columns->column_name(c));
  }
  return out;
}

Result<SqliteHeader> sqlite_header(const std::string& path) {
  std::array<unsigned char, 100> head{};
  std::ifstream file(path, std::ios::binary);
  if (!file.read(reinterpret_cast<char*>(head.data()), head.size())) {
    return Error{"the file ends within the header of a database", path, {}, "export the report again"};
  }
  const std::uint64_t page = head[16] == 0 && head[17] == 1 ? 65536 : head[16] * 256u + head[17];
  SqliteHeader out;
  // Versions before 3.7 did not update the count of pages, so it is valid only if these two numbers agree.
  if (std::equal(head.begin() + 24, head.begin() + 28, head.begin() + 92)) {
    for (std::size_t i = 28; i < 32; ++i) out.pages_expected = out.pages_expected << 8 | head[i];
  }
  std::error_code failure;
  const std::uint64_t bytes = std::filesystem::file_size(path, failure);
  if (page == 0 || failure) return Error{"the header of the database is damaged", path, 16, "export the report again"};
  out.pages_present = bytes / page;
  return out;
}

std::string sqlite_quoted(std::string_view name) {
  std::string out = "\"";
  for (const char c : name) {
    out += c;
    if (c == '"') out += c;
  }
  return out + '"';
}

std::string sqlite_select(const SqliteTable& table, const std::vector<std::string_view>& columns) {
  std::string out;
  for (const std::string_view column : columns) {
    out += out.empty() ? "SELECT " : ", ";
    const std::string_view number = column == "rowid" ? table.row_number() : std::string_view();
    out += !number.empty() ? std::string(number) : table.has(column) ? sqlite_quoted(column) : "NULL";
  }
  return out + " FROM " + sqlite_quoted(table.name);
}

std::optional<std::string> find_sqlite_log(const std::string& path) {
  for (const std::string& log : {path + "-wal", path + "-journal"}) {
    std::error_code failure;
    const std::uintmax_t size = std::filesystem::file_size(log, failure);
    if (!failure && size > 0) return log;
  }
  return std::nullopt;
}

}  // namespace tv
