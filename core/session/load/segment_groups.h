// Which of the read files become one segment. A file is a segment of its own, so that a changed one is read again alone. Only logs
// that cannot be understood without each other go together: the rollouts of one run, the devices of one pipeline, and files that
// share lanes. They have one kind of clock, and are one run when runs are aligned (align_runs.h). Other files tell the time or the
// step of a log: before they are grouped (step_places.h). Files that show nothing are one segment.
// Cost: O(files + lanes of logs).
#pragma once

#include <cstddef>
#include <vector>

#include "core/store/draft/source_draft.h"

namespace tv {

bool is_log(const SourceInfo& source);

/// Indices of files, each group in order, the groups in order of their first.
using SegmentGroups = std::vector<std::vector<std::size_t>>;
SegmentGroups segment_groups(const std::vector<SourceView>& files);

}  // namespace tv
