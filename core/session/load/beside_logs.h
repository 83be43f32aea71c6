// The files on which segments of logs depend, apart from their own. All open files can tell when logs were written and which steps
// they belong to (step_places.h). A log segment is reused, by the next load or from the cache, only while all of these are the
// same.
// Cost: O(sources), and for a segment with ranges "step" O(its slices).
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/session/load/index_cache.h"
#include "core/store/clock/known_times.h"
#include "core/store/clock/step_places.h"
#include "core/store/trace/trace.h"

namespace tv {

/// The files of a segment, other than logs, that can date logs. `by_hand`: how far the user moved its clocks since it was made.
std::vector<TimedFile> timed_files(const std::shared_ptr<const Trace>& segment, Ns by_hand);

/// The rollouts in a segment. Training logs are joined with them.
std::vector<OtherRollout> rollouts_in(const Trace& segment, Ns by_hand);

/// `CacheKey::choice` of segments of logs. `logs`: all their files, and those that show nothing; `known` and `rollouts`: all others that can
/// tell.
std::string choice_of_logs(std::string_view choice, std::vector<CacheKey::File> logs, std::vector<TimedFile> known,
                           std::vector<OtherRollout> rollouts);

}  // namespace tv
