// Makes slices of one lane from the steps of a training log. A step contains its parts, one after the other; the time after the
// last part stays empty. Events between steps become marks. A step without a time is placed right after the previous one, because
// the log gives only durations and order. Times are in the file's own clock. Cost: O(steps + parts).
#pragma once

#include "core/store/draft/event_batch.h"
#include "core/store/logs/metric_log.h"

namespace tv {

/// The reader's name of the lane for steps (SourceDraft::set_lane).
inline constexpr std::string_view kStepTrack = "steps";

struct LaidOut {
  std::size_t placed = 0;  ///< how many of these steps had no time and were placed
  std::size_t steps = 0;   ///< the number of steps with a duration, or of all steps if none has one
};
/// Places steps and marks without a time: each where the previous one ends and, at the beginning of the log, before the first
/// step with a time. If no step has a time, the last mark with a time decides: earlier steps end there, later ones begin there.
/// If there is no such mark, the first step begins at 0.
LaidOut lay_end_to_end(MetricLog& log);

/// All steps of the log must have a begin.
EventBatch step_batch(const MetricLog& log);

/// "step 3", "11..20 (10 iterations)".
std::string step_title(const MetricLog& log, const MetricStep& step);

}  // namespace tv
