// The lanes: ruler on top, names on the left, slices in the rest. Reads view, layout and selection of the workspace;
// commands: selecting, zooming, panning, scrolling, collapsing.
#pragma once

#include <optional>

#include "core/view/pick.h"
#include "core/view/time_axis.h"
#include "core/view/timeline_frame.h"
#include "ui/panels/panel.h"
#include "ui/widgets/timeline_canvas.h"

namespace tv {

class TimelinePanel {
 public:
  explicit TimelinePanel(TimelineCanvas& canvas) : canvas_(canvas) {}

  /// Where the lanes will be within the panel's area, and how high their rows: needed before the frame begins.
  TimelineGeometry geometry(const Area& area, const Theme& theme) const;
  Area lanes_area(const Area& area, const Theme& theme) const;
  void draw(const PanelContext& context, const Area& area);
  const FrameStats& stats() const { return frame_.stats; }
  bool dragging() const { return drag_ != Drag::None; }

 private:
  // What the frame was built from: while nothing of it changes, the frame is drawn again as it is.
  struct FrameKey {
    std::uint64_t generation = 0, layout = 0;
    Viewport view;
    double scroll_y = 0;
    float width = 0, height = 0, font_size = 0;
    ThemeKind theme = ThemeKind::Dark;
    SliceId selected = kNone<SliceId>;
    bool operator==(const FrameKey&) const = default;
  };
  enum class Drag { None, Pressed, Range, ZoomTo, Pan, Names, Scrollbar, Ruler };

  void draw_trace(const PanelContext& context, const Area& area);
  void draw_lanes(const PanelContext& context);
  void add_backgrounds(const PanelContext& context) const;
  void draw_grid(const PanelContext& context, ImDrawList& list) const;
  void draw_texts(const PanelContext& context, ImDrawList& list) const;
  void draw_requests(const PanelContext& context, ImDrawList& list) const;
  void draw_arrows(const PanelContext& context, ImDrawList& list) const;
  void draw_outline(const PanelContext& context, ImDrawList& list, SliceId slice, Rgba color, float width) const;
  void draw_range(const PanelContext& context, ImDrawList& list, const Area& ruler) const;
  void draw_folds(const PanelContext& context, ImDrawList& list, const Area& ruler) const;
  void draw_marks(const PanelContext& context, ImDrawList& list, const Area& ruler) const;
  void draw_names(const PanelContext& context, const Area& names);
  float draw_order_menu(const PanelContext& context, const Area& corner) const;
  void draw_ruler(const PanelContext& context, const Area& ruler);
  void draw_scrollbar(const PanelContext& context, const Area& area);
  void draw_tooltip(const PanelContext& context, const Pick& under) const;
  void draw_empty(const PanelContext& context, const Area& area) const;

  void handle_mouse(const PanelContext& context, const Area& names, const Area& ruler);
  void begin_drag(const PanelContext& context, const Area& names, const Area& ruler, ImVec2 mouse);
  void drag(const PanelContext& context, ImVec2 mouse);
  void end_drag(const PanelContext& context, ImVec2 mouse);
  void wheel(const PanelContext& context, ImVec2 mouse, bool over_ruler);
  FrameParams params(const PanelContext& context) const;
  double time_at(const PanelContext& context, float x) const;
  float x_of(const PanelContext& context, double t) const;
  Ns snapped(const PanelContext& context, float x, ImVec2 mouse) const;
  void select_dragged(const PanelContext& context, ImVec2 mouse);

  TimelineCanvas& canvas_;
  FrameBuilder builder_;
  TimelineFrame frame_;
  std::optional<FrameKey> built_from_;
  TimeAxis axis_;
  std::optional<Pick> under_mouse_;
  float names_width_ = 210;  // at scale 1
  Area lanes_;               // of this frame

  Drag drag_ = Drag::None;
  ImVec2 press_{}, last_{};
  double press_time_ = 0;
  int button_ = 0;
  bool double_click_ = false;
};

}  // namespace tv
