// Turns flow points (start, step, end of an arrow) into arrows between slices.
//
// Points of one key and id form chains in time order: start -> step -> ... -> end; if several ends follow one start, each gets an
// arrow from it (one CUDA graph launch, many kernels). Ends before their start are joined to it as well, and counted: the clocks
// of a host and its device differ by microseconds. Each point is bound to a slice of its lane:
//   Enclosing  a slice that begins at the time, else the innermost around it, else one that ends there
//   Next       a slice that begins at the time, else the next one to begin
//   Record     the slice that was decoded from the record the point names
// Points without a slice, and starts or ends without the other end, are counted. Source: kineto, Trace Event Format.
//
// Correlation points need no chain: a slice was launched by the call of its source with the same id. Of several, it is the call
// that a flow event names, else the latest before the slice. Flow events with that id at the begin of the slice only repeat this
// and are skipped. They do not reliably say which end is which (kineto writes an end at both ends of a graph's launch, and at
// every call that launched nothing). In a file merged from several programs, such as the ranks of a job, each program counts its
// ids separately: launch_programs.h finds the program that a GPU works for. Doubtful points get no arrow, and are counted.
// Cost: one sweep per lane, O(points * rows of the lane + slices) in the worst case.
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
  std::vector<SegmentFlow> flows;                 ///< sorted by from, to
  std::vector<std::uint64_t> of_source;           ///< by source: number of flows that end there; may be shorter
  std::vector<std::uint32_t> unmatched, unbound, doubtful;  ///< indices of points
  struct Backwards {
    std::uint32_t to;  ///< index of the point
    Ns by;             ///< how much later its start is
  };
  std::vector<Backwards> backwards;
};

/// Which points are joined. It needs no rows, so it can be computed while rows are made.
struct FlowLinks {
  struct Link {
    std::uint32_t from, to;  ///< indices of points
  };
  std::vector<Link> links;               ///< by id and key, then time
  std::vector<std::uint32_t> unmatched;  ///< indices of points
  std::vector<std::uint32_t> doubtful;   ///< indices of points whose call could be that of several programs
  std::vector<std::uint32_t> by_lane;    ///< indices of joined points: by lane, then time
  std::vector<std::uint32_t> first;      ///< by lane: its first index into by_lane, and one more at the end; empty without points
};

FlowLinks link_flows(std::span<const PlacedFlowPoint> points, std::span<const Lane> lanes, ThreadPool& pool);
/// `points` must not be empty; `links` must be made from them and all lanes.
BoundFlows bind_flows(const Trace& trace, std::span<const PlacedFlowPoint> points, FlowLinks links, ThreadPool& pool);

}  // namespace tv
