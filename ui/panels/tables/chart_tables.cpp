#include "ui/panels/tables/chart_tables.h"

#include <algorithm>

#include "ui/panels/table_commands.h"
#include "ui/widgets/table/table_widths.h"

namespace tv {
namespace {

// The target of the row that stands for the slice.
TableTarget row_of_slice(const Chart& chart, const TableModel& model, SliceId slice) {
  if (slice == kNone<SliceId>) return {};
  for (std::size_t row = 0; row < std::min(chart.table->targets.size(), model.rows()); ++row) {
    const ChartTarget& target = chart.table->targets[row];
    if (target.kind != ChartTarget::Kind::Place || target.id >= chart.places.size()) continue;
    const ChartPlace& place = chart.places[target.id];
    if (place.slice == slice && !place.by_name) return model.target(row);
  }
  return {};
}

}  // namespace

ChartTables::Sheet& ChartTables::sheet_of(const Chart& chart, std::uint64_t version) {
  Sheet& sheet = sheets_[chart.id];
  if (sheet.source != &*chart.table || sheet.version != version) {
    sheet.model = std::make_unique<ChartTableModel>(*chart.table);
    sheet.source = &*chart.table;
    sheet.version = version;
    sheet.width = 0;
    sheet.lit_slice = kNone<SliceId>;
    sheet.lit = {};
  }
  return sheet;
}

float ChartTables::whole_width(const Chart& chart, std::uint64_t version) {
  Sheet& sheet = sheet_of(chart, version);
  if (sheet.width == 0 || sheet.font != ImGui::GetFontSize()) {
    sheet.font = ImGui::GetFontSize();
    sheet.width = whole_table_width(*sheet.model);
  }
  return sheet.width;
}

TableAction ChartTables::draw(const PanelContext& context, const Chart& chart, std::uint64_t version, ImVec2 size) {
  Sheet& sheet = sheet_of(chart, version);
  const Workspace& workspace = context.workspace;
  const bool same_trace = workspace.run().data().trace.get() == &workspace.trace();
  const SliceId selected = same_trace ? workspace.state().selection.slice : kNone<SliceId>;
  if (sheet.lit_slice != selected) {
    sheet.lit_slice = selected;
    sheet.lit = row_of_slice(chart, *sheet.model, selected);
  }
  TableLook look;
  look.size = size;
  look.file = chart.id;
  look.lit = sheet.lit;
  look.nothing = chart.empty.empty() ? std::string_view("Nothing") : std::string_view(chart.empty);
  if (workspace.run().rollout()) look.narrow = "Only its requests";
  take_table(context, sheet.table, chart.id);
  TableAction action = sheet.table.draw("rows", *sheet.model, version, context.keys, context.theme, look);
  keep_table(context, sheet.table, chart.id);
  return action;
}

const Table* ChartTables::table_of(std::string_view chart) const {
  const auto found = sheets_.find(chart);
  return found == sheets_.end() ? nullptr : &found->second.table;
}

}  // namespace tv
