#include "core/store/bind_flows.h"

#include <algorithm>
#include <numeric>
#include <optional>

namespace tv {
namespace {

// Walks one lane's rows forward in time; calls must come in time order.
class LaneSweep {
 public:
  LaneSweep(const Trace& trace, const Lane& lane) : trace_(trace) {
    for (const Row& row : trace.rows_of(lane)) {
      if (row.kind == RowKind::Slices) rows_.push_back({trace.slices_of(row), 0});
    }
  }

  std::optional<SliceId> bind(const PlacedFlowPoint& point) {
    std::optional<SliceId> exact, inside, at_end, next;
    Ns next_begin = 0;
    for (Cursor& cursor : rows_) {
      const RowSlices& row = cursor.row;
      while (cursor.at < row.size() && row.end(cursor.at) < point.time) ++cursor.at;
      // Candidates touch the time: at most the one ending there, zero-length ones, and the one around it.
      for (std::size_t i = cursor.at; i < row.size(); ++i) {
        if (row.begin[i] > point.time) {
          if (!next || row.begin[i] < next_begin) {
            next = row.id(i);
            next_begin = row.begin[i];
          }
          break;
        }
        if (same_record(row.id(i), point)) return row.id(i);
        if (row.begin[i] == point.time) {
          exact = row.id(i);  // rows go from outer to inner: the last one found is the innermost
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
      case FlowPoint::Bind::Record: return std::nullopt;
    }
    return std::nullopt;
  }

 private:
  bool same_record(SliceId id, const PlacedFlowPoint& point) const {
    return point.bind == FlowPoint::Bind::Record && trace_.slices.ref[idx(id)].identity() == point.ref.identity();
  }

  struct Cursor {
    RowSlices row;
    std::size_t at;
  };
  const Trace& trace_;
  std::vector<Cursor> rows_;
};

std::vector<SliceId> bind_points(const Trace& trace, const std::vector<PlacedFlowPoint>& points, ThreadPool& pool) {
  std::vector<std::uint32_t> order(points.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    if (points[a].lane != points[b].lane) return points[a].lane < points[b].lane;
    return points[a].time < points[b].time;
  });
  std::vector<std::size_t> lane_begins;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i == 0 || points[order[i]].lane != points[order[i - 1]].lane) lane_begins.push_back(i);
  }
  lane_begins.push_back(order.size());
  std::vector<SliceId> bound(points.size(), kNone<SliceId>);
  pool.parallel_for(lane_begins.size() - 1, [&](std::size_t part) {
    LaneSweep sweep(trace, trace.lane(points[order[lane_begins[part]]].lane));
    for (std::size_t i = lane_begins[part]; i < lane_begins[part + 1]; ++i) {
      if (const auto slice = sweep.bind(points[order[i]])) bound[order[i]] = *slice;
    }
  });
  return bound;
}

}  // namespace

BoundFlows bind_flows(const Trace& trace, std::vector<PlacedFlowPoint> points, ThreadPool& pool) {
  std::stable_sort(points.begin(), points.end(), [](const PlacedFlowPoint& a, const PlacedFlowPoint& b) {
    if (a.key != b.key) return a.key < b.key;
    if (a.id != b.id) return a.id < b.id;
    // Writers with whole microseconds give start and end the same time, in either order.
    return a.time != b.time ? a.time < b.time : a.kind < b.kind;
  });
  const std::vector<SliceId> bound = bind_points(trace, points, pool);

  struct Arrow {
    Flow flow;
    SourceId source;
  };
  BoundFlows out;
  std::vector<Arrow> arrows;
  for (std::size_t i = 0; i < points.size();) {
    const std::uint32_t key = points[i].key;
    const std::uint64_t id = points[i].id;
    std::optional<std::size_t> tail;  // the point the next arrow leaves from
    bool used = false;
    for (; i < points.size() && points[i].key == key && points[i].id == id; ++i) {
      const PlacedFlowPoint& point = points[i];
      if (point.kind != FlowPoint::Kind::Start) {
        if (!tail) {
          out.unmatched.push_back(point);
        } else if (bound[*tail] == kNone<SliceId> || bound[i] == kNone<SliceId>) {
          out.unbound.push_back(bound[i] == kNone<SliceId> ? point : points[*tail]);
        } else {
          arrows.push_back({{bound[*tail], bound[i]}, point.ref.source()});
        }
        used |= tail.has_value();
      }
      // A step without a start before it begins no chain: where the arrow comes from is not known.
      if (point.kind == FlowPoint::Kind::Start || (point.kind == FlowPoint::Kind::Step && tail)) {
        if (tail && !used) out.unmatched.push_back(points[*tail]);
        tail = i;
        used = point.kind == FlowPoint::Kind::Step && used;
      }
    }
    if (tail && !used) out.unmatched.push_back(points[*tail]);
  }
  std::stable_sort(arrows.begin(), arrows.end(), [](const Arrow& a, const Arrow& b) {
    return a.flow.from != b.flow.from ? a.flow.from < b.flow.from : a.flow.to < b.flow.to;
  });
  for (const Arrow& arrow : arrows) {
    out.flows.push_back(arrow.flow);
    out.source.push_back(arrow.source);
  }
  return out;
}

}  // namespace tv
