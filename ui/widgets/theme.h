// Colours and sizes of the whole interface: two themes of one design. Panels take every colour from here, but
// those of labels, which are the Palette's.
#pragma once

#include "core/view/palette.h"

namespace tv {

struct Theme {
  ThemeKind kind = ThemeKind::Dark;
  float scale = 1;  ///< sizes in panels are written for scale 1 and multiplied by this

  Rgba window, panel, header, border;    ///< backgrounds from back to front, 1 px lines between them
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

/// Makes ImGui's style follow the theme. Between frames only.
void apply_style(const Theme& theme);

}  // namespace tv
