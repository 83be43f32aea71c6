// Converts times of a segment back to recorded times. It takes back the shifts by collectives and by aligned runs that were
// applied when the segment was made or packed, but not the user's offset (SourceInfo::clock_offset). Unit: nanoseconds.
#pragma once

#include "core/store/trace/trace.h"

namespace tv {

/// Recorded time = time in the segment + to_recorded(segment, source).
inline Ns to_recorded(const Trace& segment, const SourceInfo& source) {
  const Ns fitted = source.clock_fit.evidence == ClockEvidence::Collectives ? source.clock_fit.offset : 0;
  return segment.origin_ns - fitted - source.aligned;
}

}  // namespace tv
