// Ticks of the time ruler, in the format that times are written in (time_style.h).
//
//   seconds, and times below a second   steps of 1, 2, 5 times a power of ten; labels in the unit of the time
//   hours, minutes, seconds             1, 2, 5, 10, 15, 30 s and min; 1, 2, 3, 6, 12 h; 1, 2, 5, 10, ... days
//   wall clock                          the same; midnight shows the date; if the view spans more than a day, labels that are
//                                       minutes or hours apart also show the day
//
// If all labels would begin with the same long number (when zoomed in far), that number moves into `offset` and the labels count
// from it:
//
//     90 s                                  offset
//       |+0.5 ms     |+1.0 ms     |+1.5 ms  labels
//
// Ticks are at round times of the chosen format: since the trace's beginning, since the step's begin, or of the zone's day.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/view/navigation/viewport.h"
#include "core/view/words/time_style.h"

namespace tv {

struct Tick {
  double x;           ///< pixels
  Ns t;               ///< relative to the trace's origin
  bool major;         ///< has a label
  std::string label;  ///< empty for minor ticks
};

struct TimeAxis {
  Ns step = 0;               ///< between major ticks
  Ns offset_t = 0;           ///< in displayed time; 0: labels are complete
  std::string offset;        ///< empty if labels are complete
  std::string corner;        ///< what the labels count: "since step 67", "2025-07-13 UTC", "from 90.123 s"
  std::vector<Tick> ticks;   ///< left to right, all within the view
};

/// The smallest of 1, 2, 5, 10, 20, ... that is at least `ns`.
Ns nice_step(double ns);
/// The same for steps that divide minutes, hours and days; from a day on, in whole days.
Ns nice_clock_step(double ns);

/// A label on the ruler, from one pixel to another.
struct RulerSpan {
  double x0 = 0, x1 = 0;
};
/// Whether a label is wholly in sight and overlaps no other label.
bool ruler_label_fits(const RulerSpan& label, double width_px, std::span<const RulerSpan> written);

/// `label_px`: the room for a label including its gap. Reuses the capacity of `out`.
void build_time_axis(const Viewport& view, std::uint32_t width_px, double label_px, TimeAxis& out,
                     const TimeStyle& style = {});

}  // namespace tv
