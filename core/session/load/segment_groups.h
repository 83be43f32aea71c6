// Decides which files form one segment. Normally each file is a segment, so that after a change only this file is read again.
// Only logs that cannot be understood without each other are grouped: the rollouts of one run, the devices of one pipeline, and
// files that share lanes. Either all or none of a group have a wall clock, and all files of a group move together when runs are
// aligned (align_runs.h). Logs are dated by other files before they are grouped (step_places.h).
// Cost: O(files + lanes of logs).
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "core/store/draft/source_draft.h"
#include "core/store/segments/compose.h"

namespace tv {

bool is_log(const SourceInfo& source);

/// The segments of a view; of a segment, the segment itself; of null, none.
Segments segments_of(const std::shared_ptr<const Trace>& trace);
/// Whether all its sources were read completely, so that reading them again would give the same.
bool is_whole(const std::shared_ptr<const Trace>& segment);
/// Whether it does not depend on other files: it has no logs (log_evidence.h).
bool is_independent(const Trace& segment);

/// Indices of files: each group in order, the groups ordered by their first file.
using SegmentGroups = std::vector<std::vector<std::size_t>>;
SegmentGroups segment_groups(const std::vector<SourceView>& files);

}  // namespace tv
