// How far times in a segment are from recorded ones, whatever moved its sources when the segment was made or packed: collectives and
// aligned runs. The user's offset (SourceInfo::clock_offset) stays in. Unit: nanoseconds.
#pragma once

#include "core/store/trace/trace.h"

namespace tv {

/// Recorded time = time in the segment + to_recorded(segment, source).
inline Ns to_recorded(const Trace& segment, const SourceInfo& source) {
  const Ns fitted = source.clock_fit.evidence == ClockEvidence::Collectives ? source.clock_fit.offset : 0;
  return segment.origin_ns - fitted - source.aligned;
}

}  // namespace tv
