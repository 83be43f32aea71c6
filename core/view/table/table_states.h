// The user's choices for each table of a window (order, filter, columns), by the table's id. They are saved with a view and
// restored with it and, except for filters, persist across starts of the program.
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

using KeptTables = std::vector<std::pair<std::string, TableState>>;  ///< by id, ascending

class TableStates {
 public:
  struct Kept {
    TableState state;
    std::uint64_t version = 0;  ///< differs after each change
    bool by_user = false;       ///< changed by the user; else from a view or the last session
  };
  /// Null: the table is in its initial state.
  const Kept* find(std::string_view table) const;
  /// Records a change by the user.
  void keep(const std::string& table, TableState state);
  /// Takes over the choices of a view. Tables that it does not name are reset.
  void replace(const KeptTables& tables);
  /// Takes over the choices of the last session, for tables without any yet.
  void begin_with(const KeptTables& tables);
  KeptTables all() const;
  /// The choices for later starts: those that the user has made here.
  KeptTables defaults() const;

 private:
  std::map<std::string, Kept, std::less<>> tables_;
  std::uint64_t version_ = 0;
};

/// {"traceview_tables": 1, "tables": {...}}, indented for people to read.
std::string tables_text(const KeptTables& tables);
Result<KeptTables> tables_from(std::string_view text);

}  // namespace tv
