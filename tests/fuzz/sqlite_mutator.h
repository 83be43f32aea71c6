// Changes a SQLite database and leaves it one, with SQLite itself: cells get edge values and other types, rows are repeated or
// deleted, columns and tables are renamed or dropped. In three of ten cases, and where that fails, any bytes change. Cost: the
// database is opened in memory and written again, about 1 ms.
#pragma once

#include <sqlite3.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tests/fuzz/mutate.h"

namespace tv::test {

class SqliteMutator {
 public:
  SqliteMutator(std::string bytes, std::size_t most, std::uint64_t seed)
      : bytes_(std::move(bytes)), most_(most), dice_(seed) {}

  std::string change() {
    if (bytes_.size() < 512 || dice_.chance(0.3)) return changed_anyhow(bytes_, most_);
    auto changed = change_tables();
    return changed && changed->size() <= most_ ? *changed : changed_anyhow(bytes_, most_);
  }

 private:
  struct Close {
    void operator()(sqlite3* file) const { sqlite3_close_v2(file); }
    void operator()(sqlite3_stmt* rows) const { sqlite3_finalize(rows); }
    void operator()(unsigned char* bytes) const { sqlite3_free(bytes); }
  };

  std::optional<std::string> change_tables() {
    sqlite3* opened = nullptr;
    const int failed = sqlite3_open_v2(":memory:", &opened, SQLITE_OPEN_READWRITE, nullptr);
    file_.reset(opened);
    auto* const copy = static_cast<unsigned char*>(sqlite3_malloc64(bytes_.size()));
    if (failed || !copy) return std::nullopt;
    std::memcpy(copy, bytes_.data(), bytes_.size());
    constexpr unsigned kOurs = SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE;
    const auto size = static_cast<sqlite3_int64>(bytes_.size());
    if (sqlite3_deserialize(file_.get(), "main", copy, size, size, kOurs) != SQLITE_OK) return std::nullopt;
    // The pages of a damaged table may form a circle.
    sqlite3_progress_handler(
        file_.get(), 100'000, [](void*) { return 1; }, nullptr);
    const auto tables = texts("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'");
    if (tables.empty()) return std::nullopt;
    for (std::size_t n = 1 + below(dice_, 3); n > 0; --n) change_one(tables[below(dice_, tables.size())]);
    sqlite3_int64 out_size = 0;
    const std::unique_ptr<unsigned char, Close> out(sqlite3_serialize(file_.get(), "main", &out_size, 0));
    if (!out) return std::nullopt;
    return std::string(reinterpret_cast<const char*>(out.get()), static_cast<std::size_t>(out_size));
  }

  void change_one(const std::string& name) {
    const auto columns = texts("SELECT name FROM pragma_table_info(" + quoted(name, '\'') + ")");
    const std::string table = quoted(name);
    if (columns.empty()) return;
    const std::string column = quoted(columns[below(dice_, columns.size())]);
    const std::string other = quoted(columns[below(dice_, columns.size())]);
    const std::string some = " WHERE rowid = (SELECT rowid FROM " + table + " ORDER BY rowid LIMIT 1 OFFSET " +
                             std::to_string(below(dice_, 8)) + ")";
    switch (below(dice_, 12)) {
      case 0:
      case 1:
      case 2:
        return run("UPDATE " + table + " SET " + column + " = " + edge_cell() + some);
      case 3:
        return run("UPDATE " + table + " SET " + column + " = " + edge_cell());
      case 4:
        return run("UPDATE " + table + " SET " + column + " = " + other + (dice_.chance(0.5) ? some : ""));
      case 5:
        return run("UPDATE " + table + " SET " + column + " = CAST(" + column + " AS " +
                   (dice_.chance(0.5) ? "TEXT)" : "BLOB)"));
      case 6:
        return run("INSERT INTO " + table + " SELECT * FROM " + table + some);
      case 7:
        return run("DELETE FROM " + table + (dice_.chance(0.8) ? some : ""));
      case 8:
        return run("ALTER TABLE " + table + " RENAME COLUMN " + column + " TO \"" +
                   (dice_.chance(0.5) ? "rowid" : "x y") + "\"");
      case 9:
        return run("ALTER TABLE " + table + " DROP COLUMN " + column);
      case 10:
        return run("UPDATE " + table + " SET rowid = " + std::to_string(static_cast<std::int64_t>(edge_number(dice_))) +
                   some);
      default:
        return run(dice_.chance(0.5) ? "DROP TABLE " + table : "ALTER TABLE " + table + " RENAME TO \"other\"");
    }
  }

  std::string edge_cell() {
    constexpr std::string_view kCells[] = {"NULL",
                                           "''",
                                           "x''",
                                           "'text'",
                                           "'12'",
                                           "1e300",
                                           "-1e300",
                                           "0.5",
                                           "9e999",
                                           "x'00ff'",
                                           "x'ffffffffffffffffffffffffffffffff'",
                                           "zeroblob(3000)",
                                           "'a' || char(0) || 'b'",
                                           "char(27) || '[2J'",
                                           "CAST(x'ff' AS TEXT)"};
    return dice_.chance(0.5) ? std::string(dice_.one_of(kCells))
                             : std::to_string(static_cast<std::int64_t>(edge_number(dice_)));
  }

  // If SQLite refuses the statement, nothing changes.
  void run(const std::string& sql) { sqlite3_exec(file_.get(), sql.c_str(), nullptr, nullptr, nullptr); }

  std::vector<std::string> texts(const std::string& sql) {
    sqlite3_stmt* prepared = nullptr;
    sqlite3_prepare_v2(file_.get(), sql.c_str(), -1, &prepared, nullptr);
    const std::unique_ptr<sqlite3_stmt, Close> rows(prepared);
    std::vector<std::string> out;
    while (rows && sqlite3_step(rows.get()) == SQLITE_ROW) {
      const unsigned char* const text = sqlite3_column_text(rows.get(), 0);
      out.emplace_back(text ? reinterpret_cast<const char*>(text) : "");
    }
    return out;
  }

  static std::string quoted(const std::string& name, char quote = '"') {
    std::string out(1, quote);
    for (const char c : name) out += std::string(c == quote ? 2 : 1, c);
    return out + quote;
  }

  std::string bytes_;
  std::size_t most_;
  Random dice_;
  std::unique_ptr<sqlite3, Close> file_;
};

}  // namespace tv::test
