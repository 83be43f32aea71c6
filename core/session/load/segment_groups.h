// Which of the read files become one segment: files that cannot be understood without each other. All others are
// segments of their own, so that a changed one is read again alone.
//
// Together go windows and reports of one process, files that share lanes, rollouts of one run, and devices of pipelines. All go
// together if only a window of them is wanted, if aligning runs would move files of one group apart
// (align_runs.h), and if several files of one group would have to be put at the others' beginning (compose.h). A file without
// content goes with the file before it. Other files tell the time or the step of a log: before they are grouped (step_places.h).
// Cost: O(files + lanes), and a look at every sample, and at begins and ends that were recorded separately.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/store/clock/view_clock.h"
#include "core/store/draft/source_draft.h"
#include "core/store/segments/compose.h"

namespace tv {

bool is_log(const SourceInfo& source);

/// Indices of files, each group in order, the groups in order of their first. At least one.
using SegmentGroups = std::vector<std::vector<std::size_t>>;
SegmentGroups one_group(std::size_t files);
SegmentGroups segment_groups(const std::vector<SourceView>& files, AlignChoice align);

/// Whether each lies in a view of these segments and groups where it would if all were one segment: not when several of one are
/// to be put at the others' beginning, or are to be moved away from each other. `by_hand`: as for compose().
bool places_stay(const Segments& segments, const std::vector<Ns>& by_hand, const std::vector<SourceView>& files,
                 const SegmentGroups& groups, AlignChoice align);

/// Whether a segment of these sources, alone, stays the same with this choice.
bool is_aligned_alone(const ClockedSegment& segment, AlignChoice align);

}  // namespace tv
