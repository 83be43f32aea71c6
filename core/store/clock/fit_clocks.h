// Fits the clocks of sources to each other, if collectives tell how (unit_clocks.h), before they are built into a
// trace. Streams of sources of one process are put one after the other.
// Cost: O(labels) where there are no such kernels, else one look at each slice of the batches
// that have some.
#pragma once

#include <vector>

#include "core/store/clock/source_parts.h"
#include "core/store/draft/label_table.h"

namespace tv {

/// Sets SourceParts::fitted and SourceInfo::clock_fit.
void fit_clocks(std::vector<SourceParts>& sources, const LabelTable& labels);

}  // namespace tv
