// Of a file with several ranks, those that are wanted: which is whose is known by the names of its processes, when all of it has
// been read. Cost: O(what the file holds), only where something goes.
#pragma once

#include <vector>

#include "core/store/draft/load_choice.h"
#include "core/store/draft/source_draft.h"

namespace tv {

/// Is there anything that is not another rank's?
bool any_wanted(const LaneSpecs& lanes, const std::vector<RankSpan>& ranks);
/// Takes out what lies on lanes of other ranks (LaneSpec::rank).
void keep_ranks(SourceView& view, const std::vector<RankSpan>& ranks);

}  // namespace tv
