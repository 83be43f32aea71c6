// A chart in an ImGui window that can be read with the mouse, zoomed along x and brushed. It does not know the meaning of the data:
// it reports clicks and brushes, and the caller handles them.
//
//   mouse over it       shows the mark under the mouse, and the values of the lines at this x
//   click               on the legend: toggles a series; on a mark: is reported; elsewhere: clears the brush
//   drag                brushes: along x if that axis has a field, a box if both axes have one, with Shift a lasso; if x has no
//                       field, moves a zoomed view
//   Ctrl+wheel          zooms x at the mouse; the wheel alone scrolls the surrounding window
//   double click        shows all of x again
//
// The picture is computed when the chart, its size, the theme or the view changes; all other frames only draw it.
#pragma once

#include <cstdint>
#include <optional>

#include "core/view/chart/chart_brush.h"
#include "core/view/picture/chart_readout.h"
#include "imgui.h"
#include "ui/widgets/theme.h"

namespace tv {

struct ChartAction {
  std::optional<ChartTarget> hovered, clicked;  ///< the target of the mark that is hovered, or was clicked
  bool narrow = false;              ///< clicked with Ctrl: select only this, instead of going there
  std::optional<double> at;         ///< x under the mouse
  std::optional<ChartBrush> brush;  ///< set while there is a brush, also after the drag
  bool brushing = false, brush_ended = false, brush_cleared = false;
};

class ChartView {
 public:
  /// Draws at the cursor of the current window. `version` must change whenever the contents of the chart change.
  ChartAction draw(const char* id, const Chart& chart, std::uint64_t version, ImVec2 size, const Theme& theme);

  /// The picture in the last draw().
  const ChartPicture& picture() const { return picture_; }
  bool shows(std::size_t series) const { return frame_.shows(series); }
  bool zoomed() const { return frame_.x_view.has_value(); }
  /// The values that the mouse last pointed at, as in the tooltip.
  const std::string& read_text() const { return read_; }
  /// Shows a selection that was made elsewhere, as if it had been brushed here.
  void set_brush(std::optional<ChartBrush> brush) { brush_ = std::move(brush); }
  /// Marks the x that the mouse points at in another chart or on the timeline; none: marks nothing.
  void show_elsewhere(std::optional<double> x) { elsewhere_ = x; }
  /// Shows all series, all of x, and no brush.
  void reset();
  /// Hides what the mouse would show in the next frame, for a screenshot.
  void hide_mouse_once() { mouse_hidden_ = true; }

 private:
  void update_picture(const Chart& chart, std::uint64_t version, ImVec2 size, const Theme& theme);
  void drag(const Chart& chart, ImVec2 mouse, ChartAction& action);
  void draw_around(ImVec2 mouse);
  void click(float x, float y, ChartAction& action);
  bool at_plot(float x, float y) const;
  float reach() const { return picture_.font * 0.3f; }
  void zoom(float x, float wheel);
  void move_view(float px);
  void view_between(double low, double high);
  void read(const Chart& chart, ImVec2 origin, ImVec2 mouse, const Theme& theme, ChartAction& action);
  void draw_elsewhere(const Chart& chart, ImVec2 origin, const Theme& theme) const;
  void draw_brush(ImVec2 origin, const Theme& theme) const;
  void draw_note_mark(const Chart& chart, ImVec2 origin, ImVec2 mouse, bool hovered, const Theme& theme) const;

  struct Made {
    std::uint64_t version = 0;
    ImVec2 size{-1, -1};
    ThemeKind theme = ThemeKind::Dark;
    float font = 0;
    const ImFont* face = nullptr;
  };
  Made made_;
  bool stale_ = true;
  bool mouse_hidden_ = false;
  std::optional<double> elsewhere_;
  std::string chart_id_, read_;
  ChartFrame frame_;
  ChartPicture picture_;

  enum class Drag : std::uint8_t { None, Undecided, Brush, Lasso, View } drag_ = Drag::None;
  ImVec2 drag_from_{}, drag_last_{};  // pixels in the picture
  std::optional<ChartBrush> brush_;
};

}  // namespace tv
