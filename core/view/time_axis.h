// Ticks of the time ruler: 1-2-5 steps, labels in the unit of the time. Zoomed in deep, where labels would
// all begin with the same long number, that number moves into `offset` and the labels count from it:
//
//     90 s                                  offset
//       |+0.5 ms     |+1.0 ms     |+1.5 ms  labels
#pragma once

#include <string>
#include <vector>

#include "core/view/viewport.h"

namespace tv {

struct Tick {
  double x;           ///< pixels
  Ns t;
  bool major;         ///< has a label
  std::string label;  ///< empty for minor ticks
};

struct TimeAxis {
  Ns step = 0;               ///< between major ticks
  Ns offset_t = 0;
  std::string offset;        ///< empty when labels are absolute (relative to the trace's beginning)
  std::vector<Tick> ticks;   ///< left to right, all within the view
};

/// The smallest of 1, 2, 5, 10, 20, ... that is at least `ns`.
Ns nice_step(double ns);

/// `label_px` = room a label needs, its gap included. Reuses the capacity of `out`.
void build_time_axis(const Viewport& view, std::uint32_t width_px, double label_px, TimeAxis& out);

}  // namespace tv
