// The hits of the search one by one: when, what, how long, where; above them how many there are, and which lanes are called so.
// A click on a head orders them, a click on a row goes there. Commands: GoToHit, ScrollToLane, OpenSearch.
#pragma once

#include <memory>

#include "ui/panels/panel.h"

namespace tv {

class HitsPanel {
 public:
  void draw(const PanelContext& context);
  /// For scripts: what stands in the first row, and how many rows there are.
  const HitList* list() const { return list_.get(); }

 private:
  void draw_others(const PanelContext& context) const;
  void draw_table(const PanelContext& context);
  void draw_row(const PanelContext& context, SliceId slice) const;

  std::shared_ptr<const HitList> list_;  ///< stays until the next one is known
  HitOrder order_;
  SliceId lit_ = kNone<SliceId>;         ///< that was brought into sight
};

}  // namespace tv
