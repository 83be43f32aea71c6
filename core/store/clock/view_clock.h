// Where segments lie on a view's clock: decided here, and nowhere else. A pure function of what is known of their sources:
//
//   recorded      what the file says, and by how much the user moved its clock (clock_offset.h)
//   fitted        by collectives (unit_clocks.h)
//   to the wall   A source that counts from boot or from its own start would stretch the view over decades. If other sources count
//                 from the Unix epoch, it begins where they begin, and the user's offset moves it from there.
//   aligned       runs are aligned last (align_runs.h)
//
// Sources of one segment can only move together: the logs of one run, and what was packed together.
// Unit: nanoseconds. Cost: O(sources x log sources).
#pragma once

#include <string>
#include <vector>

#include "core/base/time.h"
#include "core/store/clock/align_runs.h"

namespace tv {

/// A source that shows something.
struct ClockedSource {
  TimeRange extent, work;  ///< as its file has them, or its segment, but without by_hand
  bool wall_clock = false;  ///< they count from the Unix epoch
  Ns by_hand = 0, fitted = 0;
  std::string run, process;  ///< as RecordedSource has them
};
using ClockedSegment = std::vector<ClockedSource>;

struct ViewClock {
  /// Added to a segment's times, in addition to by_hand and fitted.
  struct Shift {
    Ns to_wall = 0, aligned = 0;
    bool operator==(const Shift&) const = default;
  };
  std::vector<Shift> of_segment;  ///< nothing where it shows nothing
  Align align = Align::Recorded;  ///< how runs are aligned now
};

/// Runs are not aligned if a time is too large to be counted with (table_bytes.h).
ViewClock view_clock(const std::vector<ClockedSegment>& segments, AlignChoice align);

}  // namespace tv
