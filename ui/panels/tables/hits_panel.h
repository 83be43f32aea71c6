// Lists the hits of the search in a table. Above it are their number, and lanes, steps and notes with a matching name. Choosing a
// row goes to its hit. Commands: GoToHit, FitSelection, ScrollToLane, GoTo, EditNote, OpenSearch, and those of tables.
#pragma once

#include <memory>
#include <optional>

#include "core/view/table/hit_list.h"
#include "ui/panels/side_panel.h"

namespace tv {

class HitsPanel : public SidePanel {
 public:
  void draw(const PanelContext& context) override;
  /// For scripts: the listed hits (null: none yet), and the table.
  const HitList* list() const { return list_.get(); }
  const Table* table() const override { return &table_; }

 private:
  void draw_others(const PanelContext& context);
  void draw_meant(const PanelContext& context);
  void draw_table(const PanelContext& context);

  std::shared_ptr<const HitList> list_;  ///< stays until the next list is ready
  std::optional<HitTable> model_;        ///< made from model_of_ and style_
  std::shared_ptr<const HitList> model_of_;
  TimeStyle style_;
  std::uint64_t version_ = 0;
  std::string meant_of_, meant_;  ///< the search text, and the step it names; empty: none
  Table table_;
};

}  // namespace tv
