// The tooltip of what is under the mouse: a slice, several slices in one pixel, a counter, a gap, or exposed communication.
#pragma once

#include <cstdint>
#include <optional>

#include "core/view/details/slice_tooltip.h"
#include "core/view/timeline/pick.h"
#include "ui/panels/lanes/lanes_place.h"
#include "ui/panels/panel.h"

namespace tv {

class TimelineTooltip {
 public:
  void draw(const PanelContext& context, const LanesPlace& place, const Pick& under);

 private:
  void draw_slice(const PanelContext& context, const Pick& under);

  // The inputs of text_, which is made again only if one of them changes.
  struct TextKey {
    std::uint64_t generation = 0;
    SliceId slice = kNone<SliceId>;
    std::uint64_t merged = 0;
    const Rollout* rollout = nullptr;
    const CollectiveWaits* waits = nullptr;
    const GpuMarks* marks = nullptr;
    bool operator==(const TextKey&) const = default;
  };
  std::optional<TextKey> text_key_;
  SliceTooltip text_;
};

}  // namespace tv
