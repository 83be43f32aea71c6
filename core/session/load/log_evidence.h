// The evidence that other files give about logs: any open file may show when a log was written, or when its steps ran
// (step_places.h). The cache key of a segment of logs includes this evidence, so a segment is reused only with the same evidence.
// Cost: O(sources), plus O(slices) for a segment with "step" ranges.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/session/files/load_source.h"
#include "core/session/held/held_segments.h"
#include "core/session/load/packed_traces.h"
#include "core/store/clock/known_times.h"
#include "core/store/clock/step_places.h"
#include "core/store/segments/compose.h"

namespace tv {

/// Rollouts that are in packed traces, or whose steps are not selected.
std::vector<OtherRollout> other_rollouts(const PackedTraces& packed, const LoadSources& sources);

/// All files with known times, except logs. `read`: segments that this load has read.
std::vector<TimedFile> timed_files(const PackedTraces& packed, const std::vector<ReusedSegment>& reused, const Segments& read);

struct LogEvidence {
  std::vector<TimedFile> files;
  std::vector<OtherRollout> rollouts;
};
/// The `CacheKey::choice` of segments of logs. Covers all open logs among `sources`, even those without content.
std::string logs_key(std::string_view choice, const LoadSources& sources, LogEvidence evidence);

}  // namespace tv
