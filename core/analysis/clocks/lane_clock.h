// Which files set the clock of a lane: those with slices on the lane or below it. Alt+dragging the lane's name moves them all by
// the same amount. Cost: O(rows of these lanes); O(slices) for rows of segments that were read from several files.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/store/clock/clock_offset.h"
#include "core/store/trace/trace.h"

namespace tv {

struct LaneClock {
  struct File {
    std::string path;  ///< path of the file; for packed files, that of the packed trace
    Ns offset = 0;     ///< the present offset, including the part from collectives, which the user's offset replaces
    Ns zone = 0;       ///< the time zone found for a log, or 0; it is added to offsets of at least half a zone step (kZoneStep)
  };
  std::vector<File> files;
  std::string name;  ///< "rank 3", "train.log", "8 files"
  std::string why_fixed;  ///< why the clock cannot be moved: no slices, or only one packed trace is open; else empty
  /// Other files whose clocks are fitted by collectives, with their present offsets. Fitting would make them follow the moved
  /// files. So they get user offsets too, and stay where they are.
  std::vector<File> others = {};
  bool compared = false;  ///< the clock of one of `files` is fitted by collectives
};

/// The offset that the user gave to the view's part that contains a source.
Ns manual_offset_of(const Trace& trace, std::uint32_t source);

LaneClock clock_of_lane(const Trace& trace, LaneId lane);

/// Returns `now` with these files moved by `by`. Other files keep their offsets; `others` get explicit ones.
ClockOffsets moved_by(const LaneClock& clock, Ns by, const ClockOffsets& now);

/// The text while the lane is dragged: "rank 3: clock moved by +1.5ms, now +1ms  (Esc: as it was)".
std::string drag_text(const LaneClock& clock, Ns by);

}  // namespace tv
