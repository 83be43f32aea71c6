#include "core/view/table/table_model.h"

#include <algorithm>

#include "core/base/text/ascii.h"

namespace tv {

std::vector<ShownColumn> shown_columns(std::span<const TableColumn> columns, const TableState& state) {
  std::vector<ShownColumn> out;
  std::vector<bool> placed(columns.size(), false);
  for (const ColumnState& one : state.columns) {
    for (std::size_t c = 0; c < columns.size(); ++c) {
      if (placed[c] || columns[c].id != one.id) continue;
      placed[c] = true;
      out.push_back({c, one.hidden, one.width});
      break;
    }
  }
  for (const bool empty : {false, true}) {
    for (std::size_t c = 0; c < columns.size(); ++c) {
      if (!placed[c] && columns[c].empty == empty) out.push_back({c, columns[c].hidden, 0});
    }
  }
  // Shows at least one column, because only columns have the menu that shows others again.
  if (!out.empty() && std::ranges::all_of(out, &ShownColumn::hidden)) out.front().hidden = false;
  return out;
}

void remember_columns(TableState& state, std::span<const TableColumn> columns, std::span<const ShownColumn> shown) {
  std::vector<ColumnState> states;
  for (const ShownColumn& one : shown) states.push_back({columns[one.column].id, one.hidden, one.width});
  for (const ColumnState& old : state.columns) {
    if (std::ranges::find(states, old.id, &ColumnState::id) == states.end()) states.push_back(old);
  }
  state.columns = std::move(states);
}

std::size_t column_named(std::span<const TableColumn> columns, std::string_view name) {
  const std::string wanted = lower_case(name);
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (lower_case(columns[c].id) == wanted || lower_case(columns[c].title) == wanted) return c;
  }
  return kNoColumn;
}

void sort_by(TableState& state, const TableColumn& column, bool second) {
  std::vector<TableSort>& sort = state.sort;
  if (second && !sort.empty() && sort.front().column != column.id) {
    if (sort.size() > 1 && sort[1].column == column.id) {
      sort[1].falling = !sort[1].falling;
    } else {
      sort.resize(1);
      sort.push_back({column.id, column.number()});
    }
    return;
  }
  if (!sort.empty() && sort.front().column == column.id) {
    sort.front().falling = !sort.front().falling;
    return;
  }
  sort = {{column.id, column.number()}};
}

}  // namespace tv
