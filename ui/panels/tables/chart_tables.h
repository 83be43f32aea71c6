// The tables of charts, each with the user's changes: a chart gets its order, filter and columns back when its panel is shown
// again.
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
  /// `version` differs between any two contents of the chart. Rows of the action are those of the chart's table.
  TableAction draw(const PanelContext& context, const Chart& chart, std::uint64_t version, ImVec2 size);
  /// The width needed to show all columns in full.
  float whole_width(const Chart& chart, std::uint64_t version);
  /// By the chart's id; null: it was never drawn.
  const Table* table_of(std::string_view chart) const;

 private:
  struct Sheet {
    Table table;
    std::unique_ptr<ChartTableModel> model;
    const ChartTable* of = nullptr;
    std::uint64_t version = 0;
    float width = 0, font = 0;
    SliceId lit_slice = kNone<SliceId>;
    TableTarget lit;
  };
  Sheet& sheet_of(const Chart& chart, std::uint64_t version);

  std::map<std::string, Sheet, std::less<>> sheets_;
};

}  // namespace tv
