// Puts the clocks of sources beside each other right, where collectives tell how (collective_clock.h): kernels of
// collectives (work_rules.h) on the lanes of GPU streams, in PyTorch traces and Nsight Systems reports alike. Sources of
// one process, by host and pid, have one clock, and their streams are one after the other; all others have their own.
// Sources without wall clock are left alone; so are logs, which have barriers and steps to be placed by. Every source
// is told what was found.
// Cost: O(labels) where there are no such kernels, else one look at each slice of the batches
// that have some.
#pragma once

#include <string_view>
#include <vector>

#include "core/store/clock/source_parts.h"
#include "core/store/draft/label_table.h"

namespace tv {

/// A kernel that ranks leave together, or in pairs: of work_rules.h those that are collectives and sends.
bool is_collective(std::string_view category, std::string_view kernel);

/// Sets SourceParts::fitted and SourceInfo::clock_fit.
void fit_clocks(std::vector<SourceParts>& sources, const LabelTable& labels);

}  // namespace tv
