// Which of the files that were read form one segment. Normally each file is its own, so that a changed one is read again alone.
// Only logs that cannot be understood without each other are grouped: the rollouts of one run, the devices of one pipeline, and
// files that share lanes. They have one kind of clock, and count as one run when runs are aligned (align_runs.h). Logs are dated by
// other files before they are grouped (step_places.h).
// Cost: O(files + lanes of logs).
#pragma once

#include <cstddef>
#include <vector>

#include "core/store/draft/source_draft.h"

namespace tv {

bool is_log(const SourceInfo& source);

/// Indices of files: each group in order, the groups ordered by their first file.
using SegmentGroups = std::vector<std::vector<std::size_t>>;
SegmentGroups segment_groups(const std::vector<SourceView>& files);

}  // namespace tv
