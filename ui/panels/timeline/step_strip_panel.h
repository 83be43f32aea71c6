// The strip of steps above the timeline: a bar per step, stacked by what it spent its time on. Of a rollout where one is open,
// else of the training log that is looked at, else of whatever numbers its steps.
#pragma once

#include <memory>
#include <optional>

#include "core/view/timeline/step_strip.h"
#include "ui/panels/panel.h"

namespace tv {

/// A bar per step, above the timeline; a click goes there. Drawn only where there are steps.
class StepStripPanel {
 public:
  static bool shown(const Workspace& workspace) {
    const RunData& data = workspace.run().data();
    const StepSource* const marked = workspace.step_source();
    // Of one step the strip says something where GPUs take it apart.
    return data.rollout || data.training ||
           (marked && (marked->steps.size() > 1 || (data.gpu && marked->kind == StepsOf::Marked)));
  }
  void draw(const PanelContext& context, const Area& area);
  /// The middle of a step's bar in the last frame.
  std::optional<ImVec2> place_of(std::uint32_t step) const;
  /// As it was drawn last, and the bar that is looked at; UINT32_MAX: none.
  const StepStrip& strip() const { return strip_; }
  std::uint32_t looked_at() const { return looked_at_; }

 private:
  void make_strip(const Workspace& workspace);
  StepStrip marked_strip(const StepSource& marked) const;
  /// The bar that is looked at; UINT32_MAX: none.
  std::uint32_t looked_at_in(const Workspace& workspace) const;
  void drag(const PanelContext& context, ImDrawList& list, std::uint32_t to);
  void draw_legend(const PanelContext& context, const Area& area) const;

  Area bars_;
  float pitch_ = 0;
  RunData of_;
  const TrainingRun* run_ = nullptr;    ///< of of_, when the strip is of a training log
  const StepSource* marked_ = nullptr;  ///< likewise, when it is of neither
  std::shared_ptr<const GpuMarks> marks_;
  StepStrip strip_;
  std::uint32_t looked_at_ = UINT32_MAX;
  std::optional<std::uint32_t> pressed_;  ///< the bar at which a drag began
};

}  // namespace tv
