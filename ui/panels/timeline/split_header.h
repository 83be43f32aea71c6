// The lines above the two timelines of a split. Each line shows the lanes and the step of its half, and lets the user choose them
// and how the halves are aligned. The edge between the halves can be dragged. Reads the workspace's split. Commands:
// ChooseSplitLanes, NextSplitStep, AlignSplit, SizeSplit, ToggleSplit.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ui/panels/panel.h"
#include "ui/widgets/named_places.h"
#include "ui/widgets/text/shapes.h"

namespace tv {

/// The areas of the halves and of the lines above them. Without a split, `upper` is the whole timeline and the rest is empty.
struct SplitAreas {
  Area upper_head, upper, lower_head, lower;
  const Area& of(SplitHalf half) const { return half == SplitHalf::Upper ? upper : lower; }
  const Area& head(SplitHalf half) const { return half == SplitHalf::Upper ? upper_head : lower_head; }
};
SplitAreas split_areas(const Split* split, const Area& all, const Theme& theme);

class SplitHeader {
 public:
  void draw(const PanelContext& context, const SplitAreas& areas);
  /// The position of something in the last frame, or none: "upper lanes", "lower step", "lower previous", "lower next",
  /// "upper align", "upper close", "edge". "item TEXT" is the item of the open menu that begins with TEXT.
  std::optional<ImVec2> place_of(std::string_view what) const;
  bool dragging() const { return dragged_; }
  /// Records the next frame as shapes, for SVG.
  void record_next() { record_next_ = true; }
  std::vector<DrawnShape> take_shapes() { return std::exchange(shapes_, {}); }

 private:
  void draw_half(const PanelContext& context, const SplitAreas& areas, SplitHalf half);
  void draw_edge(const PanelContext& context, const SplitAreas& areas);
  bool button(const PanelContext& context, const Area& bar, float& x, const char* id, std::string_view text, bool menu, const std::string& hint);
  void lane_items(const PanelContext& context, SplitHalf half);
  void step_items(const PanelContext& context, SplitHalf half, const StepSource& steps);
  void align_items(const PanelContext& context, SplitHalf half);
  bool item(const std::string& title, bool on, bool enabled = true);
  void record_place(std::string what, ImVec2 low, ImVec2 high);

  NamedPlaces places_;
  bool dragged_ = false, record_next_ = false;
  std::vector<DrawnShape> shapes_;
};

}  // namespace tv
