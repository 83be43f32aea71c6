// Several reports may be of one process: nsys writes one for each phase and step that is profiled. Each tells what it shows, and
// not each tells the rank; the group of their lanes, which is one (LaneSpec), has the name of all of them together.
// Cost: O(sources x lanes) for sources that tell host and process.
#pragma once

#include <vector>

#include "core/store/source_draft.h"

namespace tv {

/// The outermost groups of sources with the same host and pid are called alike, by rank and all roles; sources that do not
/// tell the rank get it from those that do.
void unite_processes(std::vector<SourceView>& views);

}  // namespace tv
