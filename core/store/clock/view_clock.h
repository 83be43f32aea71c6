// Places segments on a view's clock; no other code decides this. A pure function of the facts about their sources. The absolute time
// of a source in the view (AlignedTime) is the sum of:
//
//   recorded      the file's time, plus the user's offset (clock_offset.h)
//   fitted        the offset found from collectives (unit_clocks.h)
//   to the wall   A source that counts from boot or from its own start would stretch the view over decades. If other sources
//                 count from the Unix epoch, it begins where they begin, and the user's offset moves it from there. This sum is
//                 CommonTime.
//   aligned       the shift that aligns runs (align_runs.h), found last
//
// Sources of one segment can only move together: these are the logs of one run, or files that were packed together.
// Unit: nanoseconds. Cost: O(sources x log sources).
#pragma once

#include <string>
#include <vector>

#include "core/base/clock_time.h"
#include "core/store/clock/align_runs.h"

namespace tv {

/// A source with content.
struct ClockedSource {
  BuiltRange extent, work;           ///< without manual_offset
  bool wall_clock = false;           ///< times count from the Unix epoch
  Ns manual_offset = 0, fitted = 0;  ///< the user's offset, and the one found from collectives
  std::string run, process;  ///< as in RecordedSource
};
using ClockedSegment = std::vector<ClockedSource>;

struct ViewClock {
  /// To be added to a segment's times, in addition to manual_offset and fitted.
  struct Shift {
    Ns to_wall = 0;
    RunShift aligned = {};
    bool operator==(const Shift&) const = default;
  };
  std::vector<Shift> of_segment;  ///< for a segment without content, both are 0
  Align align = Align::Recorded;  ///< how runs are aligned; Recorded if nothing moved
};

/// If times are too large or too far apart for exact arithmetic (kFarthestTime), nothing moves.
ViewClock view_clock(const std::vector<ClockedSegment>& segments, AlignChoice align);

}  // namespace tv
