// A table with all its cells in memory: lists of a few rows to some thousand, made when their data change. Units: as in
// table_model.h. Cost: that of making its texts.
#pragma once

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "core/view/table/table_model.h"

namespace tv {

struct ListCell {
  std::string text;
  double number = std::numeric_limits<double>::quiet_NaN();
};

class ListTable : public TableModel {
 public:
  struct Line {
    std::vector<ListCell> cells;  ///< one for each column
    TableTarget target = {};
    RowTone tone = RowTone::Plain;
  };
  explicit ListTable(std::vector<TableColumn> columns) : columns_(std::move(columns)) {}
  void add(Line line) { lines_.push_back(std::move(line)); }

  std::span<const TableColumn> columns() const override { return columns_; }
  std::size_t rows() const override { return lines_.size(); }
  void text(std::size_t row, std::size_t column, std::string& out) const override { out = lines_[row].cells[column].text; }
  double number(std::size_t row, std::size_t column) const override { return lines_[row].cells[column].number; }
  TableTarget target(std::size_t row) const override { return lines_[row].target; }
  RowTone tone(std::size_t row) const override { return lines_[row].tone; }

 private:
  std::vector<TableColumn> columns_;
  std::vector<Line> lines_;
};

/// "1,234", and the number.
ListCell counted(std::uint64_t count);
/// "3.2 ms", and the nanoseconds.
ListCell lasting(Ns length);

}  // namespace tv
