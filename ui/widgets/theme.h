// Colours and sizes of the whole interface: two themes of one design. Panels take every colour from here.
#pragma once

#include "core/view/draw_items.h"

namespace tv {

enum class ThemeKind { Dark, Light };

struct Theme {
  ThemeKind kind = ThemeKind::Dark;
  float scale = 1;  ///< sizes in panels are written for scale 1 and multiplied by this

  Rgba window, panel, header, border;        ///< backgrounds from back to front, 1 px lines between them
  Rgba lane_even, lane_odd, lane_group;      ///< behind the slices
  Rgba grid, grid_strong;                    ///< time grid: minor and major lines
  Rgba text, text_dim, text_disabled;
  Rgba on_slice_dark, on_slice_light;        ///< names inside slices: the one that contrasts with the slice
  Rgba accent, accent_soft;                  ///< the interface's own colour: buttons, sliders, focus
  Rgba selection, selection_fill;            ///< outline of what is selected; tint of a selected range
  Rgba hover;                                ///< outline below the mouse
  Rgba cursor, playhead;                     ///< vertical line at the mouse; marked time
  Rgba good, warning, loss;                  ///< state colours: fine, look here, data is missing
  Rgba drop_highlight;                       ///< over the window while files are dropped

  float px(float size) const { return size * scale; }
  /// Of the two on_slice colours the one that reads better on `background`.
  Rgba text_on(Rgba background) const;
};

Theme make_theme(ThemeKind kind, float scale);

/// Makes ImGui's style follow the theme. Between frames only.
void apply_style(const Theme& theme);

constexpr Rgba rgba(unsigned rgb, unsigned alpha = 255) {
  return (rgb >> 16 & 0xff) | (rgb & 0xff00) | (rgb & 0xff) << 16 | alpha << 24;
}

constexpr Rgba with_alpha(Rgba color, unsigned alpha) { return (color & 0x00ffffff) | alpha << 24; }

}  // namespace tv
