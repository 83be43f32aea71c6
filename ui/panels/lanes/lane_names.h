// The column of names next to the lanes. It has the names, the headers of groups that stay in sight, the line that counts hidden
// lanes, the boxes that show which lanes an area includes, and the name that is being dragged to another place.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "core/view/lanes/sticky_headers.h"
#include "core/view/timeline/pick.h"
#include "ui/panels/lanes/lanes_place.h"
#include "ui/panels/panel.h"

namespace tv {

class LaneNames {
 public:
  /// Call before a frame. Computes the headers that stay in sight. `place`: that of the scrolling lanes.
  void begin_frame(const Workspace& workspace, const LanesPlace& place);
  /// Draws the names next to one pane. `hovered`: the lane under the mouse. `points`: its tooltip may be shown.
  void draw(const PanelContext& context, const LanesPlace& place, const Area& names, LaneId hovered, bool points);
  void draw_sticky_headers(const PanelContext& context, const LanesPlace& place, const Area& names) const;
  void draw_count_of_lanes(const PanelContext& context, SplitHalf half, const Area& names);
  /// Draws the dragged name, and a line where it would be dropped.
  void draw_dragged(const PanelContext& context, const LanesPlace& place, const Area& names) const;

  /// The header under the mouse. Like the headers, it covers names and lanes. Null: there is none.
  const StickyHeader* sticky_at(const LanesPlace& place, const Area& names, ImVec2 mouse) const;

  /// What a press of a mouse button begins: the lane's menu, or a drag of its name or clock.
  enum class Begins { Nothing, Menu, Name, Clock };
  struct Press {
    ImVec2 mouse;
    int button = 0;
    bool twice = false;
    LaneId lane = kNone<LaneId>;  ///< the lane under the mouse, if any
  };
  /// A click on the arrow, or a double click anywhere on the name, folds or unfolds; a click on a sticky header scrolls to its
  /// lane.
  Begins press(const PanelContext& context, const LanesPlace& place, const Area& names, const Press& press);
  /// The mouse has moved far enough: the pressed name is now dragged.
  void drag() { dragging_ = true; }
  void drop(const PanelContext& context, const LanesPlace& place, ImVec2 mouse);

  /// For scripts: the area's box of the first lane whose title contains `text`.
  std::optional<ImVec2> place_of_area_box(const Workspace& workspace, SplitHalf half, std::string_view text) const;
  /// For scripts: "hidden", the line that counts hidden lanes, or "sticky", the innermost sticky header.
  std::optional<ImVec2> place_of(const LanesPlace& place, std::string_view what) const;

 private:
  struct Column;
  void draw_name(const PanelContext& context, const Column& column, const LaneBox& box, float y);
  float draw_area_box(const PanelContext& context, const Column& column, const LaneBox& box, float text_y);
  LaneId area_box_at(const LanesPlace& place, ImVec2 mouse) const;

  std::vector<StickyHeader> sticky_;
  float name_end_ = 0;  // the bottom of the name that was drawn last
  std::vector<std::string_view> titles_in_sight_;  // valid while the names are drawn
  Area count_line_;
  struct AreaBox {
    bool pinned = false;
    LaneId lane{};
    Area place;
  };
  std::vector<AreaBox> area_boxes_;  // in the last frame
  std::vector<LaneId> area_lanes_;   // the lanes in the area, sorted
  PointedLane pressed_;
  bool dragging_ = false;
};

}  // namespace tv
