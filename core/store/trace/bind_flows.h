// Makes arrows between slices from flow points: the start, steps and end of each arrow.
//
// Points of one key and id form chains in time order: start -> step -> ... -> end. If several ends follow one start, each gets an
// arrow from it, such as many kernels from the launch of one CUDA graph. Ends before their start can be joined to it, too, because
// the clocks of a host and its device differ by microseconds; they are counted. Each point is bound to a slice of its lane:
//   Enclosing  a slice that begins at the time, or else the innermost slice around it, or else one that ends there
//   Next       a slice that begins at the time, or else the next one to begin
//   Record     the slice that was decoded from the record at FlowPoint::offset
// Points without a slice are counted, and so are starts without an end and ends without a start. Source: kineto, Trace Event
// Format.
//
// Correlation points need no chain: the call that launched a slice is in the same source and has the same id. If several calls
// have it, it is the one that a flow event names, or else the latest before the slice. Flow events with this id at the begin of
// the slice repeat the launch, so they are skipped. They do not reliably say which end is which: kineto writes an end at both
// ends of a graph's launch, and at every call that launched nothing. In a file merged from several programs, such as the ranks of
// a job, each program counts its ids separately: launch_programs.h finds the program that a GPU works for. Points in doubt get no
// arrow, and are counted. Cost: one sweep per lane, O(points * rows of the lane + slices) in the worst case.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/threads/thread_pool.h"
#include "core/store/draft/event_batch.h"
#include "core/store/trace/trace.h"

namespace tv {

struct PlacedFlowPoint {
  FlowPoint::Kind kind;
  FlowPoint::Bind bind;
  LaneId lane;
  std::uint32_t key;  ///< unique over all sources
  std::uint64_t id;   ///< within the key
  Ns time;            ///< relative to the trace's origin
  ItemRef ref;
};

struct BoundFlows {
  std::vector<SegmentFlow> flows;        ///< sorted by from, to
  std::vector<std::uint64_t> of_source;  ///< by source: number of flows that end there; the last sources may be missing
  std::vector<std::uint32_t> unmatched, unbound, doubtful;  ///< indices of points
  /// An arrow that ends before it begins.
  struct Backwards {
    std::uint32_t to;  ///< index of the point at its end
    Ns by;             ///< how much later the start is
  };
  std::vector<Backwards> backwards;
};

/// Which points are joined. This does not depend on rows, so it can be computed while rows are made.
struct FlowLinks {
  struct Link {
    std::uint32_t from, to;  ///< indices of points
  };
  std::vector<Link> links;               ///< by id and key, then time
  std::vector<std::uint32_t> unmatched;  ///< indices of points
  std::vector<std::uint32_t> doubtful;   ///< indices of points whose call may be of any of several programs
  std::vector<std::uint32_t> by_lane;    ///< indices of joined points: by lane, then time
  std::vector<std::uint32_t> first;      ///< by lane: where its points begin in by_lane; then the size of by_lane
};

FlowLinks link_flows(std::span<const PlacedFlowPoint> points, std::span<const Lane> lanes, ThreadPool& pool);
/// `points` must not be empty. `links`: the result of link_flows() for these points and the trace's lanes.
BoundFlows bind_flows(const Trace& trace, std::span<const PlacedFlowPoint> points, FlowLinks links, ThreadPool& pool);

}  // namespace tv
