// Finds the slice at each end of an arrow: a lane's points and its rows are walked together, forward in time. bind_flows.h defines
// which slice fits a point (FlowPoint::Bind).
// Invariant: a point has at most one slice, on its own lane. The result does not depend on how a lane's points are split into
// parts. Cost: one sweep per lane, O(points * rows of the lane + slices) in the worst case, on all threads.
#pragma once

#include <span>
#include <vector>

#include "core/base/threads/thread_pool.h"
#include "core/store/trace/bind_flows.h"
#include "core/store/trace/trace.h"

namespace tv {

/// By point: the slice, for points that a link needs. None for other points, and if there is no such slice.
std::vector<SegmentSlice> bind_points(const Trace& trace, std::span<const PlacedFlowPoint> points, const FlowLinks& links,
                                      ThreadPool& pool);

}  // namespace tv
