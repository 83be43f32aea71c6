// Sums over many slices (slice_sums.h) in words, for Details, the status bar and the clipboard.
#pragma once

#include <string>
#include <vector>

#include "core/query/slice_sums.h"

namespace tv {

/// "2 of this name: 40 µs in all, 20 µs on average, the longest 30 µs", "3 instants of this name"
std::string same_name_text(const SliceSums& sums);
/// One line each for number and durations, the distances between begins, and the gaps.
std::vector<std::string> stretch_texts(const Trace& trace, const SliceStretch& stretch, const SliceSums& sums);

}  // namespace tv
