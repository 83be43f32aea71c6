// Colours and sizes of the whole interface: two themes of one design. Panels take every colour from here, but
// those of labels, which are the Palette's. Every text on everything that it is drawn on has the contrast of WCAG 2.1 AA
// (1.4.3: 4.5), edges of fields and marks of what has the focus too (1.4.11: 3): tests/ui/contrast_test.cpp.
#pragma once

#include "core/view/color/palette.h"

struct ImGuiStyle;

namespace tv {

struct Theme {
  ThemeKind kind = ThemeKind::Dark;
  float scale = 1;  ///< sizes in panels are written for scale 1 and multiplied by this

  Rgba window, panel, header, border;    ///< backgrounds from back to front, 1 px lines between them
  Rgba field_border;                     ///< of boxes to write in, buttons, popups
  Rgba lane_even, lane_odd, lane_group;  ///< behind the slices
  Rgba grid, grid_strong;                ///< time grid: minor and major lines
  Rgba text, text_dim, text_disabled;
  Rgba accent, accent_soft;        ///< the interface's own colour: buttons, sliders, focus
  Rgba selection, selection_fill;  ///< outline of what is selected; tint of a selected range
  Rgba hover;                      ///< outline below the mouse
  Rgba cursor, playhead;           ///< vertical line at the mouse; marked time
  Rgba good, warning, loss;        ///< state colours: fine, look here, data is missing
  Rgba drop_highlight;             ///< over the window while files are dropped

  float px(float size) const { return size * scale; }
};

Theme make_theme(ThemeKind kind, float scale);

/// How ImGui draws with it. Needs no ImGui context.
ImGuiStyle make_style(const Theme& theme);
/// Makes ImGui's style follow the theme. Between frames only.
void apply_style(const Theme& theme);

}  // namespace tv
