// Lists the hits of the search in a table. Above the table are the number of hits, and lanes, steps and notes with a matching name.
// Choosing a row goes to its hit. Commands: GoToHit, FitSelection, ScrollToLane, GoTo, EditNote, OpenSearch, and those of tables.
#pragma once

#include <memory>
#include <optional>

#include "core/view/lists/hit_list.h"
#include "ui/panels/side_panel.h"

namespace tv {

class HitsPanel : public SidePanel {
 public:
  void draw(const PanelContext& context) override;
  /// For scripts: the listed hits; null before the first list is ready.
  const HitList* list() const { return list_.get(); }
  const Table* table() const override { return &table_; }

 private:
  void draw_summary(const PanelContext& context);
  void draw_step_and_notes(const PanelContext& context);
  void draw_table(const PanelContext& context);

  std::shared_ptr<const HitList> list_;  ///< stays until the next list is ready
  std::optional<HitTable> model_;        ///< shows model_of_ in style_
  std::shared_ptr<const HitList> model_of_;
  TimeStyle style_;
  std::uint64_t version_ = 0;
  std::string step_text_, step_name_;  ///< a search text, and the name of the step that the text means; empty: no step
  Table table_;
};

}  // namespace tv
