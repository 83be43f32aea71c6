// Which rows of a table are shown, in which order, and which of them are selected. Rows keep their index in the
// model; a list of these indices is drawn, copied or saved.
//
// Invariant: each row is in the list at most once. Rows with equal keys keep the order of the model,
// and so do rows without a number there, which come after all others in both directions. Selected rows are rows of the model,
// so sorting keeps them; rows that the filter hides are not acted on.
// Cost: O(n log n) when model, order or filter change, nothing in any other frame.
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
  /// Changes whenever they do.
  std::uint64_t revision() const { return revision_; }
  /// Why the filter is not understood; then all rows are shown. Empty: it is.
  const std::string& complaint() const { return complaint_; }
  /// Where a row of the model is shown; none: it is not.
  std::optional<std::size_t> place_of(std::size_t row) const;
  /// The first shown row that leads there; none: no row does.
  std::optional<std::size_t> place_of(const TableModel& model, const TableTarget& target) const;

 private:
  void sort(const TableModel& model, const TableState& state);

  std::vector<std::uint32_t> shown_;
  std::string complaint_;
  const TableModel* of_ = nullptr;
  std::uint64_t version_ = 0, revision_ = 0;
  std::vector<TableSort> sort_;
  std::string filter_;
};

/// Rows picked by mouse and keys, as lists are everywhere: a click takes one, Ctrl one more or less, Shift all up to it.
class TableSelection {
 public:
  void clear();
  bool has(std::size_t row) const { return row < rows_.size() && rows_[row]; }
  std::size_t count() const { return count_; }
  /// The row that keys move from; none: no row was picked.
  std::optional<std::size_t> cursor() const { return cursor_; }

  void pick(const TableRows& rows, std::size_t row, bool with_shift, bool with_ctrl);
  void pick_all(const TableRows& rows);
  /// Moves by this many of the shown rows, as far as they go. Returns the row it is then on; none: no row is shown.
  std::optional<std::size_t> move(const TableRows& rows, std::ptrdiff_t by, bool with_shift);
  /// Selected and shown, in the order they are shown; of none all that are shown.
  std::vector<std::uint32_t> meant(const TableRows& rows) const;

 private:
  void set(std::size_t row, bool on);

  std::vector<bool> rows_;
  std::size_t count_ = 0;
  std::optional<std::size_t> cursor_, anchor_;
};

}  // namespace tv
