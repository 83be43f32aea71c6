// Drops the unwanted ranks of a file with several. The names of its processes state their ranks, and may come at the end of the
// file. Cost: O(contents of the file), only if something is dropped.
#pragma once

#include <vector>

#include "core/store/draft/load_choice.h"
#include "core/store/draft/source_draft.h"

namespace tv {

/// Whether a lane has a wanted rank or none, or there are no lanes.
bool any_wanted(const LaneSpecs& lanes, const std::vector<RankSpan>& ranks);
/// Removes contents of lanes of other ranks (LaneSpec::rank).
void keep_ranks(SourceView& view, const std::vector<RankSpan>& ranks);

}  // namespace tv
