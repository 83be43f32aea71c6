// The tooltip of what the mouse is on: a slice, several in one pixel, a counter, a gap, or exposed communication.
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

  // Inputs of the text: it stays while the mouse is on the same item.
  struct Of {
    std::uint64_t generation = 0;
    SliceId slice = kNone<SliceId>;
    std::uint64_t merged = 0;
    const Rollout* rollout = nullptr;
    const CollectiveWaits* waits = nullptr;
    const GpuMarks* marks = nullptr;
    bool operator==(const Of&) const = default;
  };
  std::optional<Of> of_;
  SliceTooltip text_;
};

}  // namespace tv
