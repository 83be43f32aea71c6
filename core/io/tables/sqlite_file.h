// A SQLite database opened read-only. The file is never locked or changed, no index is created, and its folder may be read-only.
// Only the rows on damaged pages are lost; a truncated file is read as far as it goes.
//
// Only one thread at a time may use a connection, but several connections may be open on one file. Rows come in the order of their
// rowid, unless an index covers all selected columns. Times and ids should be integers, but SQLite allows any type in any column
// and row; integer() notes values of another type. Cost: opening reads the schema (1 ms for 100 tables); a row takes about 0.3 us
// plus 15 ns per column read. Source: sqlite.org/uri.html (immutable), sqlite.org/fileformat2.html section 1.3 (the header).
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

struct SqliteHeader {
  std::uint64_t pages_expected = 0;  ///< by the header; 0: unknown
  std::uint64_t pages_present = 0;   ///< by the size of the file
  bool cut_off() const { return pages_present < pages_expected; }
};

struct SqliteTable {
  std::string name;
  std::vector<std::string> columns;
  bool has(std::string_view column) const;
  /// SQLite's name for the number of a row: "rowid", or another alias if a column is called that. Empty if columns have
  /// taken all aliases.
  std::string_view row_number() const;
};

/// The rows of one SELECT.
class SqliteRows {
 public:
  /// False at the end, and where the database is damaged; error() then says so.
  bool next();
  const std::string& error() const { return error_; }

  bool is_null(int column) const;
  /// Truncates a REAL, and parses TEXT that is an integer. None for NULL and for other values, which take_not_an_integer()
  /// reports.
  std::optional<std::int64_t> integer(int column);
  std::int64_t integer_or(int column, std::int64_t otherwise) { return integer(column).value_or(otherwise); }
  /// None unless the value is a REAL or an INTEGER.
  std::optional<double> number(int column);
  /// A value of any type, as text; empty for NULL. Valid until the next row.
  std::string_view text(int column);
  /// The bytes of a BLOB. Valid until the next row.
  std::string_view blob(int column);
  int columns() const;
  std::string_view column_name(int column) const;
  bool is_text(int column) const;
  bool is_blob(int column) const;
  /// Whether integer() has met a value of another type in this row since the last call.
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
/// A SELECT of these columns in this order, with NULL for columns that the table lacks. The column "rowid" stands for
/// row_number().
std::string sqlite_select(const SqliteTable& table, const std::vector<std::string_view>& columns);
/// "name", with quotes in it doubled.
std::string sqlite_quoted(std::string_view name);
/// The path of the database's write-ahead log or rollback journal, if there is one that is not empty. We do not apply it, so the
/// database may be in an earlier or inconsistent state.
std::optional<std::string> find_sqlite_log(const std::string& path);

}  // namespace tv
