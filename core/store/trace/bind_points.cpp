#include "core/store/trace/bind_points.h"

#include <algorithm>
#include <optional>

namespace tv {
namespace {

// Walks one lane's rows forward in time, from `start` on. Calls must be in time order.
class LaneSweep {
 public:
  LaneSweep(const Trace& trace, const Lane& lane, Ns start) : trace_(trace) {
    for (const Row& row : trace.rows_of(lane)) {
      if (row.kind != RowKind::Slices) continue;
      const RowSlices slices = trace.slices_of(row);
      const auto first = std::ranges::lower_bound(slices.own_begins(), start);
      auto at = static_cast<std::size_t>(first - slices.own_begins().begin());
      // At most one slice that begins before `start` ends at or after it.
      if (at > 0 && slices.end(at - 1) >= start) --at;
      rows_.push_back({slices, at});
    }
  }

  std::optional<SliceId> bind(const PlacedFlowPoint& point) {
    std::optional<SliceId> exact, inside, at_end, next;
    Ns next_begin = 0;
    for (Cursor& cursor : rows_) {
      const RowSlices& row = cursor.row;
      while (cursor.at < row.size() && row.end(cursor.at) < point.time) ++cursor.at;
      // Only slices that touch the time can match: at most one that ends there, some of zero length, and one around it.
      for (std::size_t i = cursor.at; i < row.size(); ++i) {
        if (row.begin(i) > point.time) {
          if (!next || row.begin(i) < next_begin) {
            next = row.id(i);
            next_begin = row.begin(i);
          }
          break;
        }
        if (same_record(row.id(i), point)) return row.id(i);
        if (row.begin(i) == point.time) {
          exact = row.id(i);  // rows go from outer to inner: the last match is the innermost
        } else if (row.end(i) > point.time) {
          inside = row.id(i);
        } else {
          at_end = row.id(i);
        }
      }
    }
    switch (point.bind) {
      case FlowPoint::Bind::Enclosing: return exact ? exact : inside ? inside : at_end;
      case FlowPoint::Bind::Next: return exact ? exact : next;
      case FlowPoint::Bind::Record:
      case FlowPoint::Bind::Correlation: return std::nullopt;
    }
    return std::nullopt;
  }

 private:
  bool same_record(SliceId id, const PlacedFlowPoint& point) const {
    const bool named = point.bind == FlowPoint::Bind::Record || point.bind == FlowPoint::Bind::Correlation;
    return named && trace_.slices.ref[idx(id)].identity() == point.ref.identity();
  }

  struct Cursor {
    RowSlices row;
    std::size_t at;
  };
  const Trace& trace_;
  std::vector<Cursor> rows_;
};

}  // namespace

std::vector<SegmentSlice> bind_points(const Trace& trace, std::span<const PlacedFlowPoint> points, const FlowLinks& links,
                                      ThreadPool& pool) {
  // A lane's points are split into parts, because most arrows of a trace involve the same thread.
  struct Part {
    std::size_t lane;
    std::span<const std::uint32_t> points;
  };
  constexpr std::size_t kPart = 1 << 16;
  std::vector<Part> parts;
  for (std::size_t l = 0; l < trace.lanes.size(); ++l) {
    for (std::size_t at = links.first[l]; at < links.first[l + 1]; at += kPart) {
      parts.push_back({l, std::span(links.by_lane).subspan(at, std::min(kPart, links.first[l + 1] - at))});
    }
  }
  std::vector<SegmentSlice> bound(points.size(), kNone<SegmentSlice>);
  pool.parallel_for(parts.size(), [&](std::size_t p) {
    const Part& part = parts[p];
    LaneSweep sweep(trace, trace.lanes[part.lane], points[part.points.front()].time);
    for (const std::uint32_t i : part.points) {
      if (const auto slice = sweep.bind(points[i])) bound[i] = id_at<SegmentSlice>(idx(*slice));
    }
  });
  return bound;
}

}  // namespace tv
