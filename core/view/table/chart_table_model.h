// Shows the table of a chart in the window. The model refers to the chart's cells and does not copy them, so the chart must outlive
// it. The target of a row is of kind Other, and its `id` is the index in ChartTable::targets.
#pragma once

#include "core/view/chart/chart.h"
#include "core/view/table/table_model.h"

namespace tv {

class ChartTableModel : public TableModel {
 public:
  explicit ChartTableModel(const ChartTable& table);

  std::span<const TableColumn> columns() const override { return columns_; }
  std::size_t rows() const override { return table_.rows.size(); }
  void text(std::size_t row, std::size_t column, std::string& out) const override;
  double number(std::size_t row, std::size_t column) const override;
  void whole(std::size_t row, std::size_t column, std::string& out) const override;
  TableTarget target(std::size_t row) const override;

 private:
  const ChartCell* cell(std::size_t row, std::size_t column) const;

  const ChartTable& table_;
  std::vector<TableColumn> columns_;
};

}  // namespace tv
