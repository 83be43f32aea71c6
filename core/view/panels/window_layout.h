// The positions of the window's parts, as a function of its size and contents. In pixels; nothing overlaps, and everything is
// inside the window.
//
//   top bar | tabs | steps | minimap | timeline | drawer: bar, left, right | status bar; the side from the minimap to the status bar
//
// Until the user drags the boundary, the lanes get three fifths of the height below the minimap, and give the drawer what they do
// not need.
#pragma once

#include "core/view/panels/panel_layout.h"

namespace tv {

struct WindowBox {
  float x = 0, y = 0, width = 0, height = 0;
  float right() const { return x + width; }
  float bottom() const { return y + height; }
  bool empty() const { return width <= 0 || height <= 0; }
};

/// The least size at which everything is reachable, at scale 1.
inline constexpr int kLeastWindowWidth = 640, kLeastWindowHeight = 400;

/// The parts that the window has to place.
struct WindowParts {
  float width = 0, height = 0;  ///< size of the window
  float scale = 1;
  bool tabs = false;       ///< several tabs are open
  bool steps = false;      ///< there is a strip of steps
  float lanes_px = 0;      ///< the height at which the timeline shows all of its lanes; 0: not known
};

struct WindowLayout {
  WindowBox top, tabs, steps, minimap, timeline;
  WindowBox splitter;            ///< between timeline and drawer
  WindowBox bar, left, divider, right;
  WindowBox side_edge, side;
  WindowBox status;
  WindowBox working;             ///< the area that timeline and drawer share
  bool one_half = false;         ///< both halves are wanted, but only one has room: left or right is empty
};

WindowLayout window_layout(const WindowParts& window, const PanelLayout& layout, const ShownPanels& shown);

}  // namespace tv
