// Puts segments' clocks right beside each other, where collectives tell how (unit_clocks.h). All sources are compared by their
// recorded times, whatever was added to them when their segment was made, so that it says what it would if all had been read at
// once. Within a segment nothing moves: where sources of one differ in what they should be moved by, the median moves it.
// Cost: O(labels) where there are no such kernels, else one look at each slice on GPU streams of the segments that have some.
#pragma once

#include <vector>

#include "core/store/trace/trace.h"

namespace tv {

/// Of a view that has its parts, labels and sources. By part: what is to be added to its times. Sets SourceInfo::clock_fit.
std::vector<Ns> fit_segments(Trace& view);

}  // namespace tv
