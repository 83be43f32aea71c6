// What segments of logs depend on beside their files: all that is open with them tells when they were written, and of which steps
// (step_places.h). They stay for the next load, and are found in the cache, while all of that is the same.
// Cost: O(sources), and of a segment with ranges "step" O(its slices).
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/session/load/trace_cache.h"
#include "core/store/clock/known_times.h"
#include "core/store/trace/trace.h"

namespace tv {

/// The files of a segment that can tell, but logs; `by_hand`: by how much its clocks are moved from what was said when it was made.
std::vector<TimedFile> timed_files(const std::shared_ptr<const Trace>& segment, Ns by_hand);

/// `CacheKey::choice` of segments of logs. `logs`: all their files, and those that show nothing; `known`: all others that can tell.
std::string choice_of_logs(std::string_view choice, std::vector<CacheKey::File> logs, std::vector<TimedFile> known);

}  // namespace tv
