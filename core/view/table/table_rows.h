// Which rows of a table are shown, in which order, and which of them are selected. Rows keep their index in the model; a list of
// these indices is drawn, copied or saved.
//
// Invariant: each row is in the list at most once. Rows with equal keys keep the order of the model. So do rows without a number in
// the column, which come after all others in both directions. The selection refers to rows of the model, so sorting keeps it;
// commands do not apply to rows that the filter hides. Cost: O(n log n) when model, order or filter change, nothing in any other
// frame.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/view/table/table_model.h"

namespace tv {

class TableRows {
 public:
  /// `version` differs between any two contents of the model.
  void update(const TableModel& model, std::uint64_t version, const TableState& state);
  std::span<const std::uint32_t> shown() const { return shown_; }
  /// Changes whenever the shown rows do.
  std::uint64_t revision() const { return revision_; }
  /// Why the filter was not understood; then all rows are shown. Empty: no error.
  const std::string& complaint() const { return complaint_; }
  /// The position of a row of the model among the shown ones; none: it is not shown.
  std::optional<std::size_t> place_of(std::size_t row) const;
  /// The position of the first shown row with this target; none: there is no such row.
  std::optional<std::size_t> place_of(const TableModel& model, const TableTarget& target) const;

 private:
  void sort(const TableModel& model, const TableState& state);

  std::vector<std::uint32_t> shown_;
  std::string complaint_;
  const TableModel* model_ = nullptr;
  std::uint64_t version_ = 0, revision_ = 0;
  std::vector<TableSort> sort_;
  std::string filter_;
};

/// Rows selected by mouse and keys, as in other lists: a click selects one, Ctrl+click toggles one, Shift+click selects a range.
class TableSelection {
 public:
  void clear();
  bool has(std::size_t row) const { return row < rows_.size() && rows_[row]; }
  std::size_t count() const { return count_; }
  /// The row that keys move from; none: no row was selected.
  std::optional<std::size_t> cursor() const { return cursor_; }

  void pick(const TableRows& rows, std::size_t row, bool with_shift, bool with_ctrl);
  void pick_all(const TableRows& rows);
  /// Moves the cursor by this many shown rows, at most to the first or last, and selects. Returns its row; none: no row is shown.
  std::optional<std::size_t> move(const TableRows& rows, std::ptrdiff_t by, bool with_shift);
  /// The selected rows that are shown, in display order; if there are none, all shown rows.
  std::vector<std::uint32_t> selected_or_all(const TableRows& rows) const;

 private:
  void set(std::size_t row, bool on);

  std::vector<bool> rows_;
  std::size_t count_ = 0;
  std::optional<std::size_t> cursor_, anchor_;
};

}  // namespace tv
