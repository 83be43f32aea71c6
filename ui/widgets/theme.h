// Colours and sizes of the whole interface: two themes of one design. Panels take all colours from here, except those of labels,
// which come from the Palette. Every text has the contrast of WCAG 2.1 AA to every background it is drawn on (1.4.3: 4.5), and so
// do edges of fields and focus marks (1.4.11: 3): tests/ui/contrast_test.cpp.
#pragma once

#include "core/view/color/palette.h"

struct ImGuiStyle;

namespace tv {

struct Theme {
  ThemeKind kind = ThemeKind::Dark;
  float scale = 1;  ///< sizes in panels are written for scale 1 and multiplied by this

  Rgba window, panel, header, border;    ///< backgrounds from back to front, 1 px lines between them
  Rgba field_border;                     ///< of text fields, buttons, popups
  Rgba lane_even, lane_odd, lane_group;  ///< behind the slices
  Rgba grid, grid_strong;                ///< time grid: minor and major lines
  Rgba text, text_dim, text_disabled;
  Rgba accent, accent_soft;        ///< the interface's own colour: buttons, sliders, focus
  Rgba selection, selection_fill;  ///< outline of the selected item; tint of a selected range
  Rgba hover;                      ///< outline under the mouse
  Rgba cursor, playhead;           ///< vertical line at the mouse; marked time
  Rgba good, warning, loss;        ///< state colours: fine, look here, data is missing
  Rgba drop_highlight;             ///< over the window while files are dropped

  float px(float size) const { return size * scale; }
};

Theme make_theme(ThemeKind kind, float scale);

/// ImGui's style for this theme. Needs no ImGui context.
ImGuiStyle make_style(const Theme& theme);
/// Makes ImGui's style follow the theme. Between frames only.
void apply_style(const Theme& theme);

}  // namespace tv
