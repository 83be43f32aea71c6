// Which files set the clock of a lane: those whose slices lie on it or below it. Alt+dragging the lane's name moves all of them
// together on the view's clock. Cost: O(rows below it); O(slices) for rows of segments that were read from several files.
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
    Ns zone = 0;       ///< the time zone found for a log, else 0: added to an offset of half a zone step (kZoneStep) or more
  };
  std::vector<File> files;
  std::string name;  ///< "rank 3", "train.log", "8 files"
  std::string why_fixed;  ///< why it cannot be moved: nothing lies there, or it is packed and alone; else empty
  /// The other files whose clocks collectives compare, with their present offsets. Their clocks would be fitted to the moved
  /// files and follow them. So they get user offsets too, and all these clocks stay where they are put.
  std::vector<File> others = {};
  bool compared = false;  ///< collectives compare its files with the others
};

/// By how much the user moved the part of a view that a source is in.
Ns manual_offset_of(const Trace& trace, std::uint32_t source);

LaneClock clock_of_lane(const Trace& trace, LaneId lane);

/// Returns `now` with these files moved by `by`. Other files keep their offsets; `others` get explicit ones.
ClockOffsets moved_by(const LaneClock& clock, Ns by, const ClockOffsets& now);

/// The text while the lane is dragged: "rank 3: clock moved by +1.5ms, now +1ms  (Esc: as it was)".
std::string drag_text(const LaneClock& clock, Ns by);

}  // namespace tv
