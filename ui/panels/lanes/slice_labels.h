// Draws text on the lanes: the names of slices, and labels that say where the selected slice's arrows lead.
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
  /// `recorded`: the shapes of the picture that is being taken, in which each name gets its full text as a tooltip; null: none is.
  void draw(const PanelContext& context, const LanesPlace& place, const TimelineFrame& frame, std::vector<DrawnShape>* recorded);
  /// For up to six arrows of the selected slice that lead out of sight: names the other end at the edge, with the distance in time.
  void draw_arrow_ends(const PanelContext& context, const LanesPlace& place, const TimelineFrame& frame);

 private:
  void draw_label(const PanelContext& context, const LanesPlace& place, const TextItem& text);

  ShortNames names_;
  std::uint64_t names_generation_ = 0;  // of the snapshot that names_ are from
};

}  // namespace tv
