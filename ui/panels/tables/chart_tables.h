// The tables of charts, each with what a person did to it: the same chart has its order, filter and columns again when
// its panel comes back.
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
  /// What it takes to show all columns whole.
  float whole_width(const Chart& chart, std::uint64_t version);
  /// By the chart's id; null: was never drawn.
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
