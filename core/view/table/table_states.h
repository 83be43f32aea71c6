// The user's choices for each table of a window (order, filter, columns), by the table's id: kept with a view, so that they are
// sent and restored with it, and, without filters, from one start of the program to the next.
//
// Invariant: a filter is never a default: it would hide rows of another trace. Cost: some bytes per changed table.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/view/table/table_model.h"

namespace tv {

using KeptTables = std::vector<std::pair<std::string, TableState>>;  ///< by id, rising

class TableStates {
 public:
  struct Kept {
    TableState state;
    std::uint64_t version = 0;  ///< differs after each change
    bool by_user = false;       ///< else of a view, or of the last time
  };
  /// Null: the table is as its panel begins.
  const Kept* find(std::string_view table) const;
  /// The user has changed it.
  void keep(const std::string& table, TableState state);
  /// The choices of a view. Tables that it does not name are reset.
  void replace(const KeptTables& tables);
  /// The choices of the last session, for tables that have none yet.
  void begin_with(const KeptTables& tables);
  KeptTables all() const;
  /// The choices that later starts begin with: those the user has made here.
  KeptTables defaults() const;

 private:
  std::map<std::string, Kept, std::less<>> tables_;
  std::uint64_t version_ = 0;
};

/// {"traceview_tables": 1, "tables": {...}}, for people too.
std::string tables_text(const KeptTables& tables);
Result<KeptTables> tables_from(std::string_view text);

}  // namespace tv
