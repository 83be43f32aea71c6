// Drops ranks that were not chosen from a file with several ranks. Only after reading the file are its ranks known, because the
// names of processes state them, and may come at the end. Cost: O(contents of the file), only if something is dropped.
#pragma once

#include <vector>

#include "core/store/draft/load_choice.h"
#include "core/store/draft/source_draft.h"

namespace tv {

/// Whether any lane stays: one with a chosen rank, or without a rank. Also true if there are no lanes.
bool any_wanted(const LaneSpecs& lanes, const std::vector<RankSpan>& ranks);
/// Removes the contents of lanes with other ranks (LaneSpec::rank).
void keep_ranks(SourceView& view, const std::vector<RankSpan>& ranks);

}  // namespace tv
