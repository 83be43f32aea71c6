// The strip of steps above the timeline: a bar per step, stacked by the parts of its time. It shows the steps of a rollout if one
// is open, else of the current training log, else of any other source that numbers its steps.
#pragma once

#include <memory>
#include <optional>

#include "core/view/timeline/step_strip.h"
#include "ui/panels/panel.h"

namespace tv {

/// A bar per step, above the timeline; a click goes there. Drawn only if there are steps.
class StepStripPanel {
 public:
  static bool shown(const Workspace& workspace) {
    const RunData& data = workspace.run().data();
    const StepSource* const marked = workspace.step_source();
    // A single step is worth a strip only if GPUs give it parts.
    return data.rollout || data.training ||
           (marked && (marked->steps.size() > 1 || (data.gpu && marked->kind == StepsOf::Marked)));
  }
  void draw(const PanelContext& context, const Area& area);
  /// The centre of a step's bar in the last frame.
  std::optional<ImVec2> place_of(std::uint32_t step) const;
  /// The strip as it was drawn last, and the current bar; UINT32_MAX: none.
  const StepStrip& strip() const { return strip_; }
  std::uint32_t looked_at() const { return looked_at_; }

 private:
  void make_strip(const Workspace& workspace);
  StepStrip marked_strip(const StepSource& marked) const;
  /// The current bar; UINT32_MAX: none.
  std::uint32_t looked_at_in(const Workspace& workspace) const;
  void drag(const PanelContext& context, ImDrawList& list, std::uint32_t to);
  void draw_legend(const PanelContext& context, const Area& area) const;

  Area bars_;
  float pitch_ = 0;
  RunData of_;
  const TrainingRun* run_ = nullptr;    ///< in of_, if the strip shows a training log
  const StepSource* marked_ = nullptr;  ///< the same, if the strip shows neither
  std::shared_ptr<const GpuMarks> marks_;
  StepStrip strip_;
  std::uint32_t looked_at_ = UINT32_MAX;
  std::optional<std::uint32_t> pressed_;  ///< the bar at which a drag started
};

}  // namespace tv
