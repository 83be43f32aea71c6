// Finds the slice at each end of an arrow. The points and the rows of a lane are walked together, forward in time. bind_flows.h
// explains which slice fits a point (FlowPoint::Bind).
// Invariant: a point has at most one slice, which is on the point's lane. The result does not depend on how a lane's points are
// split into parts. Cost: one sweep per lane, O(points * rows of the lane + slices) in the worst case, on all threads.
#pragma once

#include <span>
#include <vector>

#include "core/base/threads/thread_pool.h"
#include "core/store/trace/bind_flows.h"
#include "core/store/trace/trace.h"

namespace tv {

/// By point: the slice. kNone if no slice fits, or if no link has the point.
std::vector<SegmentSlice> bind_points(const Trace& trace, std::span<const PlacedFlowPoint> points, const FlowLinks& links,
                                      ThreadPool& pool);

}  // namespace tv
