// A chart in an ImGui window: drawn, read with the mouse, zoomed along x, brushed. It does not know the meaning of the data: clicks
// and brushes are reported to the caller, which handles them.
//
//   mouse over it       the mark below it, or the lines' values at its x
//   click               on the legend: toggles a series; on a mark: reported; elsewhere: clears the brush
//   drag                a brush: along x where that axis has a field, a box where both have, with Shift a
//                       lasso; else moves a zoomed view
//   Ctrl+wheel          zooms x at the mouse; the wheel alone scrolls the surrounding window
//   double click        shows everything again
//
// The picture is made when the chart, its size, the theme or the view changes; every other frame only draws it.
#pragma once

#include <cstdint>
#include <optional>

#include "core/view/chart/chart_brush.h"
#include "core/view/picture/chart_readout.h"
#include "imgui.h"
#include "ui/widgets/theme.h"

namespace tv {

struct ChartAction {
  std::optional<ChartTarget> hovered, clicked;  ///< target of a mark
  bool narrow = false;              ///< clicked with Ctrl: selects only this, instead of going there
  std::optional<double> at;         ///< x under the mouse
  std::optional<ChartBrush> brush;  ///< set while there is a brush, also after the drag
  bool brushing = false, brush_ended = false, brush_cleared = false;
};

class ChartView {
 public:
  /// At the cursor of the current window. `version` differs between any two contents of the chart.
  ChartAction draw(const char* id, const Chart& chart, std::uint64_t version, ImVec2 size, const Theme& theme);

  /// As drawn by the last draw().
  const ChartPicture& picture() const { return picture_; }
  bool shows(std::size_t series) const { return frame_.shows(series); }
  bool zoomed() const { return frame_.x_view.has_value(); }
  /// The values that the mouse last pointed at, as in the tooltip.
  const std::string& read_text() const { return read_; }
  /// The selection made elsewhere, shown as if it had been brushed here.
  void set_brush(std::optional<ChartBrush> brush) { brush_ = std::move(brush); }
  /// The x that the mouse points at in another chart: the same place is marked here.
  void show_elsewhere(std::optional<double> x) { elsewhere_ = x; }
  /// Shows all series, all of x, and no brush.
  void reset();
  /// Hides everything under the mouse in the next frame, for a screenshot.
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
