// Keeps the wanted ranks of a file with several. The names of its processes say which rank each belongs to, once the whole file has
// been read. Cost: O(contents of the file), only if something is dropped.
#pragma once

#include <vector>

#include "core/store/draft/load_choice.h"
#include "core/store/draft/source_draft.h"

namespace tv {

/// Whether anything does not belong to another rank.
bool any_wanted(const LaneSpecs& lanes, const std::vector<RankSpan>& ranks);
/// Removes contents of lanes of other ranks (LaneSpec::rank).
void keep_ranks(SourceView& view, const std::vector<RankSpan>& ranks);

}  // namespace tv
