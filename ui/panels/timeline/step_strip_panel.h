// The strip of steps above the timeline: a bar per step, stacked by the parts of the step's time. It shows the steps of a rollout
// if one is open, else those of the current training log, else those of any other source with numbered steps.
#pragma once

#include <memory>
#include <optional>

#include "core/view/timeline/step_strip.h"
#include "ui/panels/panel.h"

namespace tv {

/// A click on a bar goes to its step; a drag over bars selects their time. Draw it only if shown().
class StepStripPanel {
 public:
  static bool shown(const Workspace& workspace) {
    const RunData& data = workspace.run().data();
    const StepSource* const marked = workspace.step_source();
    // A single step is worth a strip only if GPU work divides it into parts.
    return data.rollout || data.training ||
           (marked && (marked->steps.size() > 1 || (data.gpu && marked->kind == StepsOf::Marked)));
  }
  void draw(const PanelContext& context, const Area& area);
  /// For scripts: a position on a step's bar in the last frame.
  std::optional<ImVec2> place_of(std::uint32_t step) const;
  /// The strip in the last frame, and the index of the current bar; UINT32_MAX: none.
  const StepStrip& strip() const { return strip_; }
  std::uint32_t looked_at() const { return looked_at_; }

 private:
  void make_strip(const Workspace& workspace);
  StepStrip marked_strip(const StepSource& marked) const;
  /// The index of the current bar; UINT32_MAX: none.
  std::uint32_t looked_at_in(const Workspace& workspace) const;
  void drag(const PanelContext& context, ImDrawList& list, std::uint32_t to);
  void draw_legend(const PanelContext& context, const Area& area) const;

  Area bars_;
  float pitch_ = 0;
  RunData data_;                        ///< strip_ was made from it
  const TrainingRun* run_ = nullptr;    ///< the run in data_ that the strip shows; null if it shows no training log
  const StepSource* marked_ = nullptr;  ///< the other source whose steps the strip shows, if any
  std::shared_ptr<const GpuMarks> marks_;
  StepStrip strip_;
  std::uint32_t looked_at_ = UINT32_MAX;
  std::optional<std::uint32_t> pressed_;  ///< the bar at which a drag started
};

}  // namespace tv
