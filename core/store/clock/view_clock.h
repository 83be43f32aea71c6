// Places segments on a view's clock; no other code decides this. A pure function of the facts about their sources:
//
//   recorded      the file's times, plus the user's offset (clock_offset.h)
//   fitted        by collectives (unit_clocks.h)
//   to the wall   A source that counts from boot or from its own start would stretch the view over decades. If other sources
//                 count from the Unix epoch, it begins where they begin, and the user's offset moves it from there.
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
  TimeRange extent, work;  ///< absolute, without manual_offset and fitted
  bool wall_clock = false;  ///< times count from the Unix epoch
  Ns manual_offset = 0, fitted = 0;
  std::string run, process;  ///< as in RecordedSource
};
using ClockedSegment = std::vector<ClockedSource>;

struct ViewClock {
  /// Added to a segment's times, in addition to manual_offset and fitted.
  struct Shift {
    Ns to_wall = 0, aligned = 0;
    bool operator==(const Shift&) const = default;
  };
  std::vector<Shift> of_segment;  ///< zero if a segment shows nothing
  Align align = Align::Recorded;  ///< how runs are aligned now
};

/// Runs are not aligned if a time is too large for exact arithmetic (table_bytes.h).
ViewClock view_clock(const std::vector<ClockedSegment>& segments, AlignChoice align);

}  // namespace tv
