// The slice that each end of an arrow is at: a lane's points and its rows are walked together, forward in time. Which slice that is,
// by what the point says of itself (FlowPoint::Bind): bind_flows.h.
// A point has at most one slice, and that is of its own lane; what a lane's points find does not depend on the parts they are
// walked in. Cost: one sweep per lane, O(points * rows of the lane + slices) in the worst case, on all threads.
#pragma once

#include <span>
#include <vector>

#include "core/base/threads/thread_pool.h"
#include "core/store/trace/bind_flows.h"
#include "core/store/trace/trace.h"

namespace tv {

/// By point: the slice of each that a link needs; none for others, and where there is no such slice.
std::vector<SegmentSlice> bind_points(const Trace& trace, std::span<const PlacedFlowPoint> points, const FlowLinks& links,
                                      ThreadPool& pool);

}  // namespace tv
