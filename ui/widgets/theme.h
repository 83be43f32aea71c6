// Colours and sizes of the whole interface, in two themes of one design. Panels take all colours from here, except those of
// slices (Palette), charts (chart_palette.h) and notes (notes_colors.h). Every text, edge of a field and focus mark has the
// contrast that WCAG 2.1 AA demands against every background that it is drawn on (1.4.3: 4.5 for text; 1.4.11: 3 for the others).
// tests/ui/contrast_test.cpp checks this.
#pragma once

#include "core/view/color/palette.h"

struct ImGuiStyle;

namespace tv {

struct Theme {
  ThemeKind kind = ThemeKind::Dark;
  float scale = 1;  ///< sizes in panels are given for scale 1 and multiplied by this

  Rgba window, panel, header, border;    ///< backgrounds from back to front, and 1 px lines between them
  Rgba field_border;                     ///< of text fields, buttons, popups
  Rgba lane_even, lane_odd, lane_group;  ///< behind the slices
  Rgba grid, grid_strong;                ///< time grid: minor and major lines
  Rgba text, text_dim, text_disabled;
  Rgba accent, accent_soft;        ///< the interface's own colour: buttons, sliders, focus
  Rgba selection, selection_fill;  ///< outline of the selected item; tint of a selected range
  Rgba hover;                      ///< outline of the item under the mouse
  Rgba cursor, playhead;           ///< vertical line at the mouse; marked time
  Rgba good, warning, loss;        ///< state colours: fine, look here, data is missing
  Rgba drop_highlight;             ///< over the window while files are dragged there

  float px(float size) const { return size * scale; }
};

Theme make_theme(ThemeKind kind, float scale);

/// The ImGui style of this theme. Needs no ImGui context.
ImGuiStyle make_style(const Theme& theme);
/// Sets ImGui's style to that of the theme. Call between frames.
void apply_style(const Theme& theme);

}  // namespace tv
