// The evidence that log segments take from other files: any open file may show when a log was written, or when its steps ran
// (step_places.h). The cache key of a log segment includes this evidence, so the segment is reused only while it stays the same.
// Cost: O(sources), plus O(slices) for a segment with "step" ranges.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/session/held/index_cache.h"
#include "core/store/clock/known_times.h"
#include "core/store/clock/step_places.h"
#include "core/store/trace/trace.h"

namespace tv {

/// The files of a segment, other than logs, that can date logs. `manual_offset`: how far the user moved its clocks since it was made.
std::vector<TimedFile> timed_files(const std::shared_ptr<const Trace>& segment, Ns manual_offset);

/// The rollouts in a segment. Training logs are joined with them.
std::vector<OtherRollout> rollouts_in(const Trace& segment, Ns manual_offset);

/// The `CacheKey::choice` of log segments. `logs`: all open logs, even those without content; `known` and `rollouts`: the
/// evidence of all other files.
std::string logs_key(std::string_view choice, std::vector<CacheKey::File> logs, std::vector<TimedFile> known,
                           std::vector<OtherRollout> rollouts);

}  // namespace tv
