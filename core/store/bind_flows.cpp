#include "core/store/bind_flows.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <span>

#include "core/base/parallel_sort.h"
#include "core/base/radix_order.h"
#include "core/base/sort_runs.h"

namespace tv {
namespace {

// Walks one lane's rows forward in time, from `start` on; calls must come in time order.
class LaneSweep {
 public:
  LaneSweep(const Trace& trace, const Lane& lane, Ns start) : trace_(trace) {
    for (const Row& row : trace.rows_of(lane)) {
      if (row.kind != RowKind::Slices) continue;
      const RowSlices slices = trace.slices_of(row);
      const auto first = std::ranges::lower_bound(slices.begin, start);
      auto at = static_cast<std::size_t>(first - slices.begin.begin());
      // At most one that begins before `start` does not end before it.
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

// Positions by id and key, then time. Few points share a number; ids that are texts are all 0 and differ by key, and keys are
// counted up while a trace is written.
std::vector<std::uint32_t> chain_order(std::span<const PlacedFlowPoint> points) {
  std::vector<std::uint32_t> order(points.size()), spare(points.size());
  std::iota(order.begin(), order.end(), 0u);
  std::vector<std::uint64_t> ids(points.size());
  std::ranges::transform(points, ids.begin(), &PlacedFlowPoint::id);
  radix_order(std::span(order), std::span(spare), [&](std::uint32_t i) { return ids[i]; });
  const auto less = [&](std::uint32_t i, std::uint32_t j) {
    const PlacedFlowPoint &a = points[i], &b = points[j];
    if (a.key != b.key) return a.key < b.key;
    // Writers with whole microseconds give start and end the same time, in either order.
    return a.time != b.time ? a.time < b.time : a.kind < b.kind;
  };
  for (std::size_t first = 0; first < order.size();) {
    std::size_t end = first + 1;
    bool sorted = true;
    for (; end < order.size() && ids[order[end]] == ids[order[first]]; ++end) sorted &= !less(order[end], order[end - 1]);
    if (!sorted) sort_runs(std::span(order).subspan(first, end - first), std::span(spare).first(end - first), less);
    first = end;
  }
  return order;
}

void join_chains(std::span<const PlacedFlowPoint> points, FlowLinks& out) {
  const std::vector<std::uint32_t> order = chain_order(points);
  const auto same_chain = [&](std::uint32_t a, std::uint32_t b) {
    return points[a].key == points[b].key && points[a].id == points[b].id;
  };
  for (std::size_t at = 0; at < order.size();) {
    const std::uint32_t first = order[at];
    std::optional<std::uint32_t> tail;  // the point the next arrow leaves from
    bool used = false;
    for (; at < order.size() && same_chain(first, order[at]); ++at) {
      const std::uint32_t i = order[at];
      const FlowPoint::Kind kind = points[i].kind;
      if (kind != FlowPoint::Kind::Start) {
        if (tail) {
          out.links.push_back({*tail, i});
        } else {
          out.unmatched.push_back(i);
        }
        used |= tail.has_value();
      }
      // A step without a start before it begins no chain: where the arrow comes from is not known.
      if (kind == FlowPoint::Kind::Start || (kind == FlowPoint::Kind::Step && tail)) {
        if (tail && !used) out.unmatched.push_back(*tail);
        tail = i;
        used = kind == FlowPoint::Kind::Step && used;
      }
    }
    if (tail && !used) out.unmatched.push_back(*tail);
  }
}

// Only points that are joined: while a trace is read, most arrows have only one end yet. Points come in file order, so in a
// lane they are nearly in time order.
void list_by_lane(std::span<const PlacedFlowPoint> points, std::size_t lanes, FlowLinks& out, ThreadPool& pool) {
  std::vector<bool> needed(points.size(), false);
  for (const FlowLinks::Link& link : out.links) needed[link.from] = needed[link.to] = true;
  out.first.assign(lanes + 1, 0);
  for (std::uint32_t i = 0; i < points.size(); ++i) {
    if (needed[i]) ++out.first[idx(points[i].lane) + 1];
  }
  std::partial_sum(out.first.begin(), out.first.end(), out.first.begin());
  out.by_lane.resize(out.first.back());
  std::vector<std::uint32_t> next = out.first;
  for (std::uint32_t i = 0; i < points.size(); ++i) {
    if (needed[i]) out.by_lane[next[idx(points[i].lane)]++] = i;
  }
  pool.parallel_for(lanes, [&](std::size_t l) {
    const auto of_lane = std::span(out.by_lane).subspan(out.first[l], out.first[l + 1] - out.first[l]);
    std::vector<std::uint32_t> spare(of_lane.size());
    sort_runs(of_lane, std::span(spare),
              [&](std::uint32_t a, std::uint32_t b) { return points[a].time < points[b].time; });
  });
}

// The slice of each point that a link needs.
std::vector<SliceId> bind_points(const Trace& trace, std::span<const PlacedFlowPoint> points, const FlowLinks& links,
                                 ThreadPool& pool) {
  // A lane's points in parts: most arrows of a trace touch the same thread.
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
  std::vector<SliceId> bound(points.size(), kNone<SliceId>);
  pool.parallel_for(parts.size(), [&](std::size_t p) {
    const Part& part = parts[p];
    LaneSweep sweep(trace, trace.lanes[part.lane], points[part.points.front()].time);
    for (const std::uint32_t i : part.points) {
      if (const auto slice = sweep.bind(points[i])) bound[i] = *slice;
    }
  });
  return bound;
}

}  // namespace

FlowLinks link_flows(std::span<const PlacedFlowPoint> points, std::size_t lanes, ThreadPool& pool) {
  FlowLinks out;
  if (points.empty()) return out;
  join_chains(points, out);
  list_by_lane(points, lanes, out, pool);
  return out;
}

BoundFlows bind_flows(const Trace& trace, std::span<const PlacedFlowPoint> points, FlowLinks links, ThreadPool& pool) {
  const std::vector<SliceId> bound = bind_points(trace, points, links, pool);
  BoundFlows out;
  out.unmatched = std::move(links.unmatched);
  out.flows.reserve(links.links.size());
  for (const FlowLinks::Link& link : links.links) {
    if (bound[link.from] == kNone<SliceId> || bound[link.to] == kNone<SliceId>) {
      out.unbound.push_back(bound[link.to] == kNone<SliceId> ? link.to : link.from);
      continue;
    }
    out.flows.push_back({bound[link.from], bound[link.to]});
    const std::size_t source = idx(points[link.to].ref.source());
    if (source >= out.of_source.size()) out.of_source.resize(source + 1);
    ++out.of_source[source];
  }
  std::vector<Flow> spare(out.flows.size());
  parallel_sort(std::span(out.flows), std::span(spare), flow_less, pool);
  return out;
}

}  // namespace tv
