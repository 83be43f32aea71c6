// Text on the lanes: names on slices, and where the arrows of the selected slice lead.
#pragma once

#include <cstdint>
#include <vector>

#include "core/view/timeline/timeline_frame.h"
#include "core/view/timeline/timeline_svg.h"
#include "core/view/words/short_name.h"
#include "ui/panels/lanes/lanes_place.h"
#include "ui/panels/panel.h"

namespace tv {

class SliceLabels {
 public:
  /// `recorded`: if a picture is being taken, its shapes: there each name gets the full text as a tooltip. Else null.
  void draw(const PanelContext& context, const LanesPlace& place, const TimelineFrame& frame, std::vector<DrawnShape>* recorded);
  /// For arrows of the selected slice whose other end is out of sight: names it at the edge, with the distance.
  void draw_arrow_ends(const PanelContext& context, const LanesPlace& place, const TimelineFrame& frame);

 private:
  void draw_label(const PanelContext& context, const LanesPlace& place, const TextItem& text);

  ShortNames names_;
  std::uint64_t names_of_ = 0;  // generation of the snapshot
};

}  // namespace tv
