// Lists the findings as sentences, the worst first. Enter or a double click on a row goes to the finding's place; the row's button
// opens the chart with more details. Commands: GoToStep, SelectSlice, ZoomTo, ShowPanel, and those of tables.
#pragma once

#include <optional>
#include <span>

#include "core/view/lists/findings_table.h"
#include "ui/panels/side_panel.h"

namespace tv {

class FindingsPanel : public SidePanel {
 public:
  void draw(const PanelContext& context) override;
  const Table* table() const override { return &table_; }

 private:
  std::span<const Finding> model_findings_;  ///< the findings in model_; only compared, since they may no longer exist
  std::uint64_t generation_ = 0;
  TimeStyle style_;
  std::optional<ListTable> model_;
  std::uint64_t version_ = 0;
  Table table_;
};

}  // namespace tv
