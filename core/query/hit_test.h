// Finds the slice of a row at a given time, for clicks. Cost: one binary search.
#pragma once

#include <optional>

#include "core/store/trace/trace.h"

namespace tv {

/// The slice that contains t (a zero-length one at t counts), or else the nearest one whose edge is at most `tolerance` away; the
/// earlier of two equally near ones.
std::optional<SliceId> hit_test(const RowSlices& row, Ns t, Ns tolerance);

}  // namespace tv
