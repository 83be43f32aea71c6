// The strip of steps above the timeline: a bar per step, stacked by what it spent its time on.
#pragma once

#include <memory>
#include <optional>

#include "core/view/step_strip.h"
#include "ui/panels/panel.h"

namespace tv {

/// A bar per step, above the timeline; a click goes there. Drawn only where there are steps.
class StepStripPanel {
 public:
  static bool shown(const Workspace& workspace) { return workspace.rollouts().rollout() != nullptr; }
  void draw(const PanelContext& context, const Area& area);
  /// The middle of a step's bar in the last frame.
  std::optional<ImVec2> place_of(std::uint32_t step) const;

 private:
  void draw_legend(const PanelContext& context, const Area& area) const;

  Area bars_;
  float pitch_ = 0;
  std::shared_ptr<const Trace> of_;
  StepStrip strip_;
};

}  // namespace tv
