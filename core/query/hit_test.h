// Which slice of a row is at a time: what a click means. Cost: one binary search.
#pragma once

#include <optional>

#include "core/store/trace/trace.h"

namespace tv {

/// The slice that contains t (a zero-length one at t counts), else the nearest whose edge is at most
/// `tolerance` away; of two equally near ones the earlier.
std::optional<SliceId> hit_test(const RowSlices& row, Ns t, Ns tolerance);

}  // namespace tv
