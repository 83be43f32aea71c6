// What the window has for rollouts: the strip of steps, the bar of filters, a panel for any line of the table of
// charts.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/view/rollout_charts.h"
#include "core/view/step_strip.h"
#include "ui/panels/panel.h"
#include "ui/widgets/chart_view.h"

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

/// Which requests are selected: chips to take away, a box for one more.
class FilterBar {
 public:
  void draw(const PanelContext& context, bool two_readings);

 private:
  std::string typed_;
};

/// The charts of one kind, side by side, each with its table.
class ChartPanel {
 public:
  void draw(const PanelContext& context, const ChartKind& kind);
  /// Where a chart of the last frame has a place of its axes.
  std::optional<ImVec2> place_of(std::size_t chart, double x, double y) const;

 private:
  void draw_chart(const PanelContext& context, const ChartKind& kind, const Chart& chart, std::uint64_t version,
                  ChartView& view, ImVec2 size);
  void act(const PanelContext& context, const Chart& chart, const ChartTarget& target) const;

  std::string_view of_;
  std::vector<std::unique_ptr<ChartView>> views_;
  std::vector<ImVec2> origins_;  ///< of the pictures in the last frame
};

}  // namespace tv
