// Keeps the wanted ranks of a file with several. The names of its processes say which rank is whose, once all of it has
// been read. Cost: O(contents of the file), only if something is dropped.
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
