// A SQLite database opened read-only: it is never locked, changed or indexed, and works in read-only folders.
// Damage costs only the rows that it hits: a truncated file is opened as far as it goes.
//
// One connection is for one thread at a time; several may be open on one file. Rows come in the order of their rowid, unless an
// index covers all selected columns. Times and ids are stored as integers, but SQLite allows any type in any column and row;
// integer() notes values that are not. Cost: opening reads the schema (1 ms for 100 tables); a row takes about 0.3 us and 15 ns
// per column read. Source: sqlite.org/uri.html (immutable), sqlite.org/fileformat2.html section 1.3 (the header).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.h"

struct sqlite3;
struct sqlite3_stmt;

namespace tv {

/// The number of pages by the header, and by the file's real size.
struct SqliteHeader {
  std::uint64_t pages_said = 0, pages_there = 0;
  bool cut_off() const { return pages_there < pages_said; }
};

struct SqliteTable {
  std::string name;
  std::vector<std::string> columns;
  bool has(std::string_view column) const;
  /// A name for the row's number: "rowid", unless a column has that name. Empty if all names for it are taken.
  std::string_view row_number() const;
};

/// The rows of one SELECT.
class SqliteRows {
 public:
  /// False at the end, and if the database is damaged: then error() is set.
  bool next();
  const std::string& error() const { return error_; }

  bool is_null(int column) const;
  /// Truncates a real, and parses a text that is an integer. None for NULL and other values; for the latter,
  /// take_not_an_integer() returns true.
  std::optional<std::int64_t> integer(int column);
  std::int64_t integer_or(int column, std::int64_t otherwise) { return integer(column).value_or(otherwise); }
  std::optional<double> number(int column);
  /// A value of any type, as text; empty for NULL. Valid until the next row.
  std::string_view text(int column);
  /// The bytes of a blob.
  std::string_view blob(int column);
  int columns() const;
  std::string_view column_name(int column) const;
  bool is_text(int column) const;
  bool is_blob(int column) const;
  /// Whether integer() found such a value in this row since the last call.
  bool take_not_an_integer() { return std::exchange(not_an_integer_, false); }

 private:
  friend class SqliteFile;
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };
  SqliteRows(sqlite3* file, sqlite3_stmt* statement) : file_(file), statement_(statement) {}

  sqlite3* file_;
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
  std::string error_;
  bool not_an_integer_ = false;
};

class SqliteFile {
 public:
  static Result<SqliteFile> open(const std::string& path);

  /// All tables except SQLite's own, sorted by name.
  Result<std::vector<SqliteTable>> tables();
  Result<SqliteRows> select(const std::string& sql);

 private:
  struct Close {
    void operator()(sqlite3* file) const;
  };
  explicit SqliteFile(sqlite3* file) : file_(file) {}

  std::unique_ptr<sqlite3, Close> file_;
};

Result<SqliteHeader> sqlite_header(const std::string& path);
/// A SELECT of these columns in this order, with NULL for columns that the table lacks. "rowid" is the row's number, whatever its
/// name.
std::string sqlite_select(const SqliteTable& table, const std::vector<std::string_view>& columns);
/// "name", with quotes in it doubled.
std::string sqlite_quoted(std::string_view name);
/// The path of SQLite's log next to the database, if there is one: we do not see the changes in it.
std::optional<std::string> sqlite_log_beside(const std::string& path);

}  // namespace tv
