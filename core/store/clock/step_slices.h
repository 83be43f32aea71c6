// The steps of a training log as slices of one lane: each step contains its durations one after the other, and events between
// steps are marks. A step without a time follows the one before it: the log gives only lengths and order. The rest of a step
// after its parts stays empty.
// Times are in the file's own clock. Cost: O(steps + parts).
#pragma once

#include "core/store/draft/event_batch.h"
#include "core/store/logs/metric_log.h"

namespace tv {

/// The reader's name of the lane for steps (SourceDraft::set_lane).
inline constexpr std::string_view kStepTrack = "steps";

/// Places steps and marks that have no time: after the one before or, at the beginning, before the first one that has a time. If
/// no step has one, the last mark with a time decides: steps before it end there, later ones begin there. Without such a mark the
/// first step begins at 0.
struct LaidOut {
  std::size_t given = 0;  ///< number of steps that were given a place
  std::size_t of = 0;     ///< steps with a duration, or all if none has one
};
LaidOut lay_end_to_end(MetricLog& log);

/// For a log whose steps have their places.
EventBatch step_batch(const MetricLog& log);

/// "step 3", "11..20 (10 iterations)".
std::string step_title(const MetricLog& log, const MetricStep& step);

}  // namespace tv
