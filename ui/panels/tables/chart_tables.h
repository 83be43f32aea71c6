// The tables of charts. Each keeps the user's changes: when a panel is shown again, its tables still have their order, filter and
// columns.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "core/view/table/chart_table_model.h"
#include "ui/panels/panel.h"
#include "ui/widgets/table/table.h"

namespace tv {

class ChartTables {
 public:
  /// `version` must change whenever the contents of the chart change. Rows in the action are rows of the chart's table.
  TableAction draw(const PanelContext& context, const Chart& chart, std::uint64_t version, ImVec2 size);
  /// The width needed to show all columns in full.
  float whole_width(const Chart& chart, std::uint64_t version);
  /// By the chart's id; null if that table was never drawn.
  const Table* table_of(std::string_view chart) const;

 private:
  struct Sheet {
    Table table;
    std::unique_ptr<ChartTableModel> model;
    const ChartTable* source = nullptr;  // `model` shows this table
    std::uint64_t version = 0;
    float width = 0, font = 0;
    SliceId lit_slice = kNone<SliceId>;
    TableTarget lit;
  };
  Sheet& sheet_of(const Chart& chart, std::uint64_t version);

  std::map<std::string, Sheet, std::less<>> sheets_;
};

}  // namespace tv
