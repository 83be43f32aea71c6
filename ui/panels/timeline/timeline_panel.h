// The timeline: the ruler on top, names on the left, slices in the rest. Reads the view, layout and selection of the workspace, and
// pushes commands that select, zoom, pan, scroll and collapse.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/view/navigation/gesture_lock.h"
#include "core/view/navigation/navigation.h"
#include "core/view/navigation/scroll_thumb.h"
#include "core/view/timeline/fold_labels.h"
#include "core/view/timeline/pick.h"
#include "core/view/timeline/time_axis.h"
#include "core/view/timeline/timeline_frame.h"
#include "core/view/timeline/timeline_svg.h"
#include "ui/panels/lanes/clock_drag.h"
#include "ui/panels/lanes/lane_menu.h"
#include "ui/panels/lanes/lane_names.h"
#include "ui/panels/lanes/lanes_place.h"
#include "ui/panels/lanes/menu_items.h"
#include "ui/panels/lanes/slice_labels.h"
#include "ui/panels/panel.h"
#include "ui/panels/timeline/timeline_menu.h"
#include "ui/panels/timeline/timeline_notes.h"
#include "ui/panels/timeline/timeline_tooltip.h"
#include "ui/widgets/text/shapes.h"
#include "ui/widgets/timeline_canvas.h"

namespace tv {

class TimelinePanel {
 public:
  /// `half`: whether this is the upper or the lower of two timelines. A single timeline is the upper one.
  explicit TimelinePanel(TimelineCanvas& canvas, SplitHalf half = SplitHalf::Upper) : canvas_(canvas), half_(half) {}
  TimelinePanel(const TimelinePanel&) = delete;  // its menus refer to items_
  TimelinePanel& operator=(const TimelinePanel&) = delete;

  /// The size of the lanes in the panel's area, and the row heights. The workspace needs them before the frame begins.
  TimelineGeometry geometry(const Area& area, const Theme& theme) const;
  /// The height of a panel whose lanes have this height, without pinned lanes; 0 for 0.
  static float height_for(float lanes_px, const Theme& theme);
  Area lanes_area(const Area& area, const Theme& theme) const;
  /// `has_mouse`: the mouse points at this timeline or drags in it. Only one of two timelines has the mouse.
  void draw(const PanelContext& context, const Area& area, bool has_mouse = true);
  const FrameStats& stats() const { return panes_[0].frame.stats; }
  /// Records the next frame as shapes and texts, for SVG.
  void record_next() { record_next_ = true; }
  /// The recording of the last frame; none if none was requested or there are no lanes.
  std::optional<TimelinePicture> take_picture() { return std::exchange(picture_, std::nullopt); }
  /// The area of names, ruler and lanes in the last frame, without the scroll bar.
  Area picture_area() const;
  /// The width of the names, at scale 1.
  float names_width() const { return names_width_; }
  void set_names_width(float width) { names_width_ = width; }
  bool dragging() const { return drag_ != Drag::None; }
  /// Cancels the drag of a clock; false if no clock is being dragged.
  bool cancel_clock(const PanelContext& context);
  /// For scripts: the position of the name of the first lane whose title contains `text`, in the last frame.
  std::optional<ImVec2> place_of_name(const Workspace& workspace, std::string_view text) const;
  /// The same for the box that shows whether an area includes the lane.
  std::optional<ImVec2> place_of_area_box(const Workspace& workspace, std::string_view text) const {
    return names_.place_of_area_box(workspace, half_, text);
  }
  /// The same for an item of the open menu; also "divider", below the pinned lanes, and "hidden" and "sticky": see LaneNames.
  std::optional<ImVec2> place_of_item(std::string_view text) const;
  /// See TimelineNotes.
  const std::string& typed_name() const { return notes_.typed_name(); }
  std::optional<ImVec2> place_of_note(const Workspace& workspace, std::string_view name) const {
    return notes_.place_of(workspace, at_, name);
  }

 private:
  // The inputs of a frame. While none of them changes, the frame is drawn again without being built again.
  struct FrameKey {
    std::uint64_t generation = 0, layout = 0;
    Viewport view;
    double scroll_y = 0;
    float width = 0, height = 0, font_size = 0;
    ThemeKind theme = ThemeKind::Dark;
    SliceId selected = kNone<SliceId>;
    std::uint64_t waits = 0;
    LabelId lit = kNone<LabelId>, same_name = kNone<LabelId>;
    std::uint64_t colors = 0;
    const CollectiveWaits* collectives = nullptr;
    const ExposedTime* exposed = nullptr;
    std::shared_ptr<const std::vector<SliceId>> brushed;
    std::uint64_t hits = 0;
    bool operator==(const FrameKey&) const = default;
  };
  enum class Drag { None, Pressed, Range, ZoomTo, Pan, Names, Scrollbar, Ruler, LaneName, Clock, Divider, Edge, ZoomOut, ZoomUp, Measure };
  // The inputs of the time axis.
  struct AxisKey {
    Viewport view;
    float width = 0, room = 0;
    TimeStyle style;
  };
  // A pane shows the scrolling lanes, or the pinned lanes above them. All drawing and picking happens in the current pane.
  struct Pane {
    LanesPlace place;
    TimelineFrame frame;
    std::optional<FrameKey> built_from;
  };
  static constexpr std::size_t kLanesPane = 0, kPinnedPane = 1;

  void place_panes(const PanelContext& context, const Area& area);
  void use_pane(std::size_t pane);
  Area names_area() const;
  FrameParams params(const PanelContext& context) const;

  std::unique_ptr<DrawingRecord> begin_record(const PanelContext& context, const Area& ruler);
  void record_frame(const ImDrawList& list, const TimelineFrame& frame) const;

  void draw_trace(const PanelContext& context, const Area& area);
  void draw_pane(const PanelContext& context);
  void draw_lanes(const PanelContext& context);
  void add_backgrounds(const PanelContext& context) const;
  void draw_grid(const PanelContext& context, ImDrawList& list) const;
  void draw_requests(const PanelContext& context, ImDrawList& list) const;
  void draw_outline(const PanelContext& context, ImDrawList& list, SliceId slice, Rgba color, float width) const;
  void draw_area(const PanelContext& context, const Area& ruler) const;
  void draw_ruler(const PanelContext& context, const Area& ruler, const std::vector<FoldLabel>& folds);
  void draw_corner(const PanelContext& context, const Area& corner, float menu) const;
  void draw_divider(const PanelContext& context, const Area& area) const;
  ScrollThumb scrollbar_thumb(const PanelContext& context) const;
  void draw_scrollbar(const PanelContext& context, const Area& area);
  void draw_empty(const PanelContext& context, const Area& area) const;
  void draw_no_lanes(const PanelContext& context) const;
  void draw_words(const PanelContext& context, const Area& area, std::span<const std::string_view> lines) const;

  void handle_mouse(const PanelContext& context, const Area& names, const Area& ruler);
  void begin_drag(const PanelContext& context, const Area& names, const Area& ruler, ImVec2 mouse);
  void press_name(const PanelContext& context, ImVec2 mouse);
  void drag(const PanelContext& context, ImVec2 mouse);
  void end_drag(const PanelContext& context, ImVec2 mouse);
  void wheel(const PanelContext& context, ImVec2 mouse, bool over_ruler);
  /// The fixed end of the area while the other end can be dragged; none: the mouse is at neither.
  std::optional<Ns> opposite_edge(const PanelContext& context, ImVec2 mouse) const;
  Ns snapped(const PanelContext& context, float x, ImVec2 mouse) const;
  void select_dragged(const PanelContext& context, ImVec2 mouse);
  void zoom_out_to(const PanelContext& context, ImVec2 mouse);

  TimelineCanvas& canvas_;
  const SplitHalf half_;
  MenuItems items_;
  LaneNames names_;
  LaneMenu lane_menu_{items_};
  ClockDrag clock_;
  SliceLabels labels_;
  TimelineNotes notes_;
  TimelineMenu menu_{items_};
  TimelineTooltip tooltip_;

  bool has_mouse_ = true;
  bool record_next_ = false;
  float ruler_height_ = 0;  // in the last frame
  std::optional<TimelinePicture> picture_;
  FrameBuilder builder_;
  Pane panes_[2];
  std::size_t pane_ = kLanesPane, mouse_pane_ = kLanesPane;
  LanesPlace at_;                     // place of the current pane
  float pinned_height_ = 0;           // height of the pinned lanes in the last frame's layout
  std::optional<float> pinned_most_;  // greatest height of the pinned pane, as dragged by the user, at scale 1
  float left_ = 0;                    // left edge of the names
  float names_width_ = 210;           // at scale 1
  bool on_divider_ = false;
  TimeAxis axis_;
  std::optional<AxisKey> axis_of_;
  std::optional<Pick> under_mouse_;
  WheelLock wheel_lock_;
  GestureLock gesture_lock_;

  Drag drag_ = Drag::None;
  ImVec2 press_{}, last_{};
  double press_time_ = 0;
  Ns fixed_edge_ = 0;  // the end of the area that is not dragged
  int button_ = 0;
  bool double_click_ = false, shift_click_ = false;
};

}  // namespace tv
