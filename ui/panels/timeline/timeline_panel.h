// The lanes: ruler on top, names on the left, slices in the rest. Reads view, layout and selection of the workspace;
// commands: selecting, zooming, panning, scrolling, collapsing.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/analysis/clocks/lane_clock.h"
#include "core/view/details/slice_tooltip.h"
#include "core/view/keys/keymap.h"
#include "core/view/lanes/sticky_headers.h"
#include "core/view/navigation/gesture_lock.h"
#include "core/view/navigation/navigation.h"
#include "core/view/timeline/fold_labels.h"
#include "core/view/timeline/measured_spans.h"
#include "core/view/timeline/note_flags.h"
#include "core/view/timeline/pick.h"
#include "core/view/timeline/time_axis.h"
#include "core/view/timeline/timeline_frame.h"
#include "core/view/timeline/timeline_svg.h"
#include "core/view/words/short_name.h"
#include "ui/panels/panel.h"
#include "ui/widgets/text/shapes.h"
#include "ui/widgets/text/text.h"
#include "ui/widgets/timeline_canvas.h"

namespace tv {

class TimelinePanel {
 public:
  /// `half`: which of two timelines above each other; a single one is the upper.
  explicit TimelinePanel(TimelineCanvas& canvas, SplitHalf half = SplitHalf::Upper) : canvas_(canvas), half_(half) {}

  /// The position of the lanes within the panel's area, and their row heights: needed before the frame begins.
  TimelineGeometry geometry(const Area& area, const Theme& theme) const;
  /// The panel's height for lanes of this height, with none pinned; 0 for 0.
  static float height_for(float lanes_px, const Theme& theme);
  Area lanes_area(const Area& area, const Theme& theme) const;
  /// `has_mouse`: of two timelines only one has the mouse, i.e. is pointed at or dragged.
  void draw(const PanelContext& context, const Area& area, bool has_mouse = true);
  const FrameStats& stats() const { return panes_[0].frame.stats; }
  /// Records the next frame as shapes and texts, for SVG.
  void record_next() { record_next_ = true; }
  /// The recording of the last frame; none: it was not requested, or there are no lanes.
  std::optional<TimelinePicture> take_picture() { return std::exchange(picture_, std::nullopt); }
  /// Names, ruler and lanes in the last frame, without the scroll bar.
  Area picture_area() const;
  /// In units of scale 1.
  float names_width() const { return names_width_; }
  void set_names_width(float width) { names_width_ = width; }
  bool dragging() const { return drag_ != Drag::None; }
  /// Cancels the drag of a clock; false: none is being dragged.
  bool cancel_clock(const PanelContext& context);
  /// Position of a lane's name in the last frame, for scripts: the first lane with the text in its title.
  std::optional<ImVec2> place_of_name(const Workspace& workspace, std::string_view text) const;
  /// The same for the box that shows whether an area counts the lane.
  std::optional<ImVec2> place_of_area_box(const Workspace& workspace, std::string_view text) const;
  /// The same for a line of the open menu; also "divider" of the pinned lanes, and "hidden", the line that counts them.
  std::optional<ImVec2> place_of_item(std::string_view text) const;
  /// The text in the box for a note's name: its glyphs must be loaded before it is drawn.
  const std::string& typed_name() const { return note_name_; }
  /// Centre of the flag of a mark with that name, or of a span's label.
  std::optional<ImVec2> place_of_note(const Workspace& workspace, std::string_view name) const;

 private:
  // Inputs of the frame: while none of them changes, the same frame is drawn again.
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
  // Inputs of the axis.
  struct AxisKey {
    Viewport view;
    float width = 0, room = 0;
    TimeWords words;
  };
  // The scrolling lanes, or the pinned ones above them. All drawing and picking happens in one of these panes: lanes_ is its area,
  // scroll() the layout's y at its top.
  struct Pane {
    Area area;
    TimelineFrame frame;
    std::optional<FrameKey> built_from;
    double scroll = 0;
  };
  static constexpr std::size_t kLanesPane = 0, kPinnedPane = 1;

  std::unique_ptr<DrawingRecord> begin_record(const PanelContext& context, const Area& ruler);
  void record_names(const PanelContext& context, ImDrawList& list);
  void record_frame(const ImDrawList& list, const TimelineFrame& frame) const;
  static void lay_ground(const PanelContext& context, const Area& area, Rgba color);
  void place_panes(const PanelContext& context, const Area& area);
  void use_pane(std::size_t pane);
  Area names_area() const;
  double scroll() const { return panes_[pane_].scroll; }

  void draw_trace(const PanelContext& context, const Area& area);
  void draw_lanes(const PanelContext& context);
  void add_backgrounds(const PanelContext& context) const;
  void draw_grid(const PanelContext& context, ImDrawList& list) const;
  void draw_texts(const PanelContext& context, ImDrawList& list);
  void draw_cuts(const PanelContext& context, ImDrawList& list) const;
  void draw_label(const PanelContext& context, ImDrawList& list, const TextItem& text);
  void draw_requests(const PanelContext& context, ImDrawList& list) const;
  void draw_arrows(const PanelContext& context, ImDrawList& list) const;
  void draw_arrow_ends(const PanelContext& context, ImDrawList& list);
  void draw_outline(const PanelContext& context, ImDrawList& list, SliceId slice, Rgba color, float width) const;
  void draw_range(const PanelContext& context, ImDrawList& list, const Area& ruler) const;
  std::vector<FoldLabel> labels_of_folds(const PanelContext& context, const Area& ruler) const;
  void draw_folds(const PanelContext& context, ImDrawList& list, const Area& ruler, const std::vector<FoldLabel>& labels) const;
  void draw_found(const PanelContext& context, ImDrawList& list, const Area& ruler) const;
  void draw_marks(const PanelContext& context, ImDrawList& list, const Area& ruler);
  void draw_spans(const PanelContext& context, ImDrawList& list, const Area& ruler);
  std::optional<std::size_t> note_at(const Area& ruler, ImVec2 mouse) const;
  void point_at_notes(const PanelContext& context, const Area& ruler, ImVec2 mouse);
  void draw_name_box(const PanelContext& context, const Area& ruler);
  void note_items(const PanelContext& context, std::size_t note);
  void draw_gap(const PanelContext& context, ImDrawList& list) const;
  void draw_stretch(const PanelContext& context, ImDrawList& list) const;
  void draw_legend(const PanelContext& context, ImDrawList& list);
  void draw_corner(const PanelContext& context, const Area& corner, float menu) const;
  void draw_menu(const PanelContext& context);
  void slice_menu(const PanelContext& context, SliceId slice);
  void picture_items(const PanelContext& context);
  void gap_menu(const PanelContext& context, const Gap& gap);
  void draw_names(const PanelContext& context, const Area& names);
  void draw_name(const PanelContext& context, ImDrawList& list, const Area& names, const LaneBox& box, float y, float highest);
  void draw_sticky_headers(const PanelContext& context, ImDrawList& list, const Area& names);
  void draw_count_of_lanes(const PanelContext& context, ImDrawList& list, const Area& names);
  bool hides_lanes(const Workspace& workspace) const;
  void draw_divider(const PanelContext& context, ImDrawList& list, const Area& area) const;
  void draw_dragged_name(const PanelContext& context, ImDrawList& list, const Area& names) const;
  void begin_clock(const PanelContext& context, LaneId lane);
  Ns clock_dragged_by(float x) const;
  void drag_clock(const PanelContext& context, ImVec2 mouse, bool last);
  void draw_dragged_clock() const;
  void draw_lane_menu(const PanelContext& context);
  bool menu_item(const char* title, std::string_view keys, bool on = false);
  bool menu_item(const char* title, Action action, bool on = false);
  void sort_items(const PanelContext& context);
  void row_items(const PanelContext& context, const LaneBox& box);
  float draw_area_box(const PanelContext& context, ImDrawList& list, const Area& names, const LaneBox& box, float text_y);
  LaneId area_box_at(ImVec2 mouse) const;
  const StickyHeader* sticky_at(ImVec2 mouse) const;
  bool still_there(const PanelContext& context, LaneId lane) const;
  LaneId dropped_before(const PanelContext& context, ImVec2 mouse) const;
  void press_name(const PanelContext& context, const Area& names, ImVec2 mouse);
  float draw_order_menu(const PanelContext& context, const Area& corner);
  void draw_ruler(const PanelContext& context, const Area& ruler, const std::vector<FoldLabel>& folds);
  void draw_scrollbar(const PanelContext& context, const Area& area);
  const ExposedSpans* exposed_line(const PanelContext& context, const Pick& under) const;
  void draw_tooltip(const PanelContext& context, const Pick& under);
  void draw_slice_tooltip(const PanelContext& context, const Pick& under);
  void draw_empty(const PanelContext& context, const Area& area) const;
  void draw_no_lanes(const PanelContext& context) const;
  void draw_words(const PanelContext& context, const Area& area, std::span<const std::string_view> lines) const;

  void handle_mouse(const PanelContext& context, const Area& names, const Area& ruler);
  void begin_drag(const PanelContext& context, const Area& names, const Area& ruler, ImVec2 mouse);
  void drag(const PanelContext& context, ImVec2 mouse);
  void end_drag(const PanelContext& context, ImVec2 mouse);
  void wheel(const PanelContext& context, ImVec2 mouse, bool over_ruler);
  FrameParams params(const PanelContext& context) const;
  /// The fixed end of the area while the other end can be dragged; none: the mouse is at neither.
  std::optional<Ns> other_edge(const PanelContext& context, ImVec2 mouse) const;
  double time_at(const PanelContext& context, float x) const;
  float x_of(const PanelContext& context, double t) const;
  Ns snapped(const PanelContext& context, float x, ImVec2 mouse) const;
  void select_dragged(const PanelContext& context, ImVec2 mouse);
  void zoom_out_to(const PanelContext& context, ImVec2 mouse);

  TimelineCanvas& canvas_;
  const SplitHalf half_;
  bool has_mouse_ = true;
  bool record_next_ = false;
  float ruler_height_ = 0;  // in the last frame
  std::optional<TimelinePicture> picture_;
  FrameBuilder builder_;
  Pane panes_[2];
  std::size_t pane_ = kLanesPane, mouse_pane_ = kLanesPane;
  float pinned_height_ = 0;                  // in the last frame's layout
  std::optional<float> pinned_most_;         // as dragged by the user, at scale 1
  float left_ = 0;                           // left edge of the names
  std::vector<StickyHeader> sticky_;         // for the scrolling lanes
  float name_end_ = 0;                       // right end of the last name that was drawn
  std::vector<std::string_view> titles_in_sight_;  ///< valid while the names are drawn
  LaneId menu_lane_ = kNone<LaneId>, pressed_lane_ = kNone<LaneId>, dragged_lane_ = kNone<LaneId>;
  struct DraggedClock {
    LaneClock of;
    ClockOffsets before;
    PlaceBy place_before = PlaceBy::Recorded;
    Ns by = 0;  // as last requested
    double ns_per_px = 0;
  };
  DraggedClock clock_;
  bool on_divider_ = false;
  std::uint64_t lane_menu_of_ = 0;           // generation that the menu's lanes belong to
  std::vector<std::pair<std::string, ImVec2>> items_;  // items of the open menu
  Area count_line_;
  struct AreaBox {
    std::size_t pane = 0;
    LaneId lane{};
    Area place;
  };
  std::vector<AreaBox> area_boxes_;          // in the last frame
  std::vector<LaneId> area_lanes_;           // lanes that the area counts, sorted
  ShortNames names_;
  std::uint64_t names_of_ = 0;  // generation of the snapshot
  // Inputs of the tooltip: it stays while the mouse is on the same item.
  struct TooltipOf {
    std::uint64_t generation = 0;
    SliceId slice = kNone<SliceId>;
    std::uint64_t merged = 0;
    const Rollout* rollout = nullptr;
    const CollectiveWaits* waits = nullptr;
    const GpuMarks* marks = nullptr;
    bool operator==(const TooltipOf&) const = default;
  };
  std::optional<TooltipOf> tooltip_of_;
  SliceTooltip tooltip_;
  TimeAxis axis_;
  std::optional<AxisKey> axis_of_;
  std::vector<NoteFlag> flags_;              // in the last frame, like the following
  std::vector<SpanBar> spans_;
  std::vector<TimeRange> span_times_;
  std::vector<std::uint32_t> span_notes_;    // notes of the spans
  std::vector<std::pair<std::size_t, Area>> span_boxes_;  // labels of the spans, and their areas
  std::optional<std::size_t> naming_, menu_note_;
  std::string note_name_;
  WheelLock wheel_lock_;
  GestureLock gesture_lock_;
  Ns fixed_edge_ = 0;              // end of the area opposite to the dragged edge
  std::optional<Pick> menu_of_;    // the item that was right-clicked
  bool menu_on_ruler_ = false, open_menu_ = false;
  std::optional<Pick> under_mouse_;
  float names_width_ = 210;  // at scale 1
  Area lanes_;               // area of the current pane

  Drag drag_ = Drag::None;
  ImVec2 press_{}, last_{};
  double press_time_ = 0;
  int button_ = 0;
  bool double_click_ = false, shift_click_ = false;
};

}  // namespace tv
