// The hits of the search one by one: when, what, how long, where; above them their number, and lanes and steps with a matching
// name. A row leads to its hit. Commands: GoToHit, ScrollToLane, OpenSearch, and those of tables.
#pragma once

#include <memory>
#include <optional>

#include "core/view/table/hit_list.h"
#include "ui/panels/side_panel.h"

namespace tv {

class HitsPanel : public SidePanel {
 public:
  void draw(const PanelContext& context) override;
  /// For scripts: the listed hits, and the table if there is one.
  const HitList* list() const { return list_.get(); }
  const Table* table() const override { return &table_; }

 private:
  void draw_others(const PanelContext& context);
  void draw_meant(const PanelContext& context);
  void draw_table(const PanelContext& context);

  std::shared_ptr<const HitList> list_;  ///< stays until the next list is ready
  std::optional<HitTable> model_;        ///< for list_, with times in this format
  std::shared_ptr<const HitList> model_of_;
  TimeWords words_;
  std::uint64_t version_ = 0;
  std::string meant_of_, meant_;  ///< the text, and the step that it names; empty: none
  Table table_;
};

}  // namespace tv
