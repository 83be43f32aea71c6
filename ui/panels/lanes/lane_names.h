// The column of names next to the lanes: names, the headers of groups that stay in sight, the line that counts hidden lanes, the
// boxes that show which lanes an area counts, and a name that is dragged to another place.
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
  /// Before a frame: the headers that stay in sight at this place, which is that of the scrolling lanes.
  void begin_frame(const Workspace& workspace, const LanesPlace& place);
  /// Names next to one pane. `hovered`: the lane under the mouse; `points`: its tooltip may be shown.
  void draw(const PanelContext& context, const LanesPlace& place, const Area& names, LaneId hovered, bool points);
  void draw_sticky_headers(const PanelContext& context, const LanesPlace& place, const Area& names) const;
  void draw_count_of_lanes(const PanelContext& context, SplitHalf half, const Area& names);
  /// Where the dragged name would be put.
  void draw_dragged(const PanelContext& context, const LanesPlace& place, const Area& names) const;

  /// Over names and lanes, as the header itself. Null: there is none.
  const StickyHeader* sticky_at(const LanesPlace& place, const Area& names, ImVec2 mouse) const;

  /// What a press begins: a drag, or the lane's menu.
  enum class Begins { Nothing, Menu, Name, Clock };
  struct Press {
    ImVec2 mouse;
    int button = 0;
    bool twice = false;
    LaneId lane = kNone<LaneId>;  ///< under the mouse; none: there is none
  };
  /// A click on the arrow, or a double click anywhere on the name, folds; a click on a sticky header scrolls to its place.
  Begins press(const PanelContext& context, const LanesPlace& place, const Area& names, const Press& press);
  /// The pressed name is now dragged.
  void drag() { dragging_ = true; }
  void drop(const PanelContext& context, const LanesPlace& place, ImVec2 mouse);

  /// For scripts: the box for the first lane with the text in its title, "hidden", the line that counts lanes, and "sticky".
  std::optional<ImVec2> place_of_area_box(const Workspace& workspace, SplitHalf half, std::string_view text) const;
  std::optional<ImVec2> place_of(const LanesPlace& place, std::string_view what) const;

 private:
  struct Column;
  void draw_name(const PanelContext& context, const Column& column, const LaneBox& box, float y);
  float draw_area_box(const PanelContext& context, const Column& column, const LaneBox& box, float text_y);
  LaneId area_box_at(const LanesPlace& place, ImVec2 mouse) const;

  std::vector<StickyHeader> sticky_;
  float name_end_ = 0;  // bottom of the last name that was drawn
  std::vector<std::string_view> titles_in_sight_;  // valid while the names are drawn
  Area count_line_;
  struct AreaBox {
    bool pinned = false;
    LaneId lane{};
    Area place;
  };
  std::vector<AreaBox> area_boxes_;  // in the last frame
  std::vector<LaneId> area_lanes_;   // that the area counts, sorted
  PointedLane pressed_;
  bool dragging_ = false;
};

}  // namespace tv
