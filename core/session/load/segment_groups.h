// Which files that were read become one segment: those of which one cannot be understood without the other. All others are
// segments of their own, so that one that changes is read again alone.
//
// Together go windows and reports of one process, files that share lanes, rollouts of one run, and devices of pipelines. All go
// together when only a window of them is wanted, when files of one group would be moved away from each other as runs are aligned
// (align_runs.h), and when several of one would have to be put at the others' beginning (compose.h). What shows nothing goes with the
// file before it. What time or which step a log is about, other files tell: before they are grouped (step_places.h).
// Cost: O(files + lanes), and a look at every sample, and begin and end of what was recorded so.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/store/clock/align_runs.h"
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

/// Whether a segment of these sources, with nothing beside it, is the same with this choice as it is.
bool is_aligned_alone(const std::vector<RecordedSource>& sources, AlignChoice align);

}  // namespace tv
