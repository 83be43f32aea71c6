#include "core/store/trace/bind_flows.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include "core/base/radix_order.h"
#include "core/base/sort_runs.h"
#include "core/base/threads/parallel_sort.h"
#include "core/store/trace/bind_points.h"
#include "core/store/trace/launch_programs.h"

namespace tv {
namespace {

// The clocks of a GPU and its host differ by less than this.
constexpr Ns kMostDisagreement = kMillisecond;

// The order of points with one id. Textual ids are all 0 and differ by key; keys are numbered in file order.
bool chain_less(const PlacedFlowPoint& a, const PlacedFlowPoint& b) {
  if (a.key != b.key) return a.key < b.key;
  // Timestamps in whole microseconds may be equal for start and end, in either file order.
  return a.time != b.time ? a.time < b.time : a.kind < b.kind;
}

class ChainJoin {
 public:
  ChainJoin(std::span<const PlacedFlowPoint> points, std::span<const Lane> lanes, FlowLinks& out)
      : points_(points), lanes_(lanes), out_(out), programs_(lanes) {}

  void run() {
    if (calls_of_several_groups()) place_calls();
    std::vector<std::uint32_t> order(points_.size());
    spare_.resize(points_.size());
    std::iota(order.begin(), order.end(), 0u);
    std::vector<std::uint64_t> ids(points_.size());
    std::ranges::transform(points_, ids.begin(), &PlacedFlowPoint::id);
    radix_order(std::span(order), std::span(spare_), [&](std::uint32_t i) { return ids[i]; });
    const auto each_id = [&](auto visit) {
      for (std::size_t first = 0; first < order.size();) {
        std::size_t end = first + 1;
        bool correlated = is_correlation(order[first]);
        for (; end < order.size() && ids[order[end]] == ids[order[first]]; ++end) correlated |= is_correlation(order[end]);
        visit(std::span(order).subspan(first, end - first), correlated);
        first = end;
      }
    };
    if (programs_.several()) {
      each_id([&](std::span<std::uint32_t> of_id, bool) {
        each_source(of_id, [&](std::span<const std::uint32_t> of_source) { compare_programs(of_source); });
      });
      for (std::uint32_t i = 0; i < points_.size(); ++i) {
        if (is_work(i)) programs_.place_work(launch_point(i));
      }
      programs_.decide();
    }
    each_id([&](std::span<std::uint32_t> of_id, bool correlated) {
      if (correlated) {
        each_source(of_id, [&](std::span<const std::uint32_t> points) { join_launch(points); });
      } else {
        join_keys(of_id);
      }
    });
  }

 private:
  // `said_by`: key of the equivalent flow event; kNoGroup if there is none.
  struct CorrelatedEnd {
    std::uint32_t point, said_by;
  };

  bool is_correlation(std::uint32_t i) const { return points_[i].bind == FlowPoint::Bind::Correlation; }

  void sort(std::span<std::uint32_t> some, auto less) const {
    const auto by_index = [&](std::uint32_t i, std::uint32_t j) { return less(points_[i], points_[j]); };
    if (std::ranges::is_sorted(some, by_index)) return;
    sort_runs(some, std::span(spare_).first(some.size()), by_index);
  }

  // Joins points of one id by key. `calls`: calls that are equivalent to start events of that id.
  void join_keys(std::span<std::uint32_t> of_id, std::span<const CorrelatedEnd> calls = {}) {
    sort(of_id, chain_less);
    while (!of_id.empty()) {
      const std::uint32_t key = points_[of_id.front()].key;
      const auto end = std::ranges::find_if(of_id, [&](std::uint32_t i) { return points_[i].key != key; });
      const auto n = static_cast<std::size_t>(end - of_id.begin());
      const auto call = std::ranges::find(calls, key, &CorrelatedEnd::said_by);
      if (call == calls.end() && programs_.several() && starts_in_several_groups(of_id.first(n))) {
        join_by_program(of_id.first(n));
      } else {
        join_chain(of_id.first(n), call == calls.end() ? std::nullopt : std::optional(call->point));
      }
      of_id = of_id.subspan(n);
    }
  }

  // `tail`: the point that the first arrow leaves from, if it is not in the chain.
  void join_chain(std::span<const std::uint32_t> chain, std::optional<std::uint32_t> tail) {
    const std::size_t links = out_.links.size(), unmatched = out_.unmatched.size();
    join_in_order(chain, tail);
    if (out_.unmatched.size() == unmatched || tail) return;
    const auto starts = std::ranges::count(chain, FlowPoint::Kind::Start, [&](std::uint32_t i) { return points_[i].kind; });
    if (starts == 0 || starts == std::ssize(chain)) return;
    // Ends may come before their starts, because the clocks of the two sides differ.
    std::vector<std::uint32_t> other(chain.begin(), chain.end());
    if (starts == 1) {
      start_first(other);
    } else {
      std::ranges::stable_sort(other, {}, [&](std::uint32_t i) { return points_[i].ref.offset(); });
    }
    const auto take_back = [&] {
      out_.links.resize(links);
      out_.unmatched.resize(unmatched);
    };
    take_back();
    join_in_order(other, {});
    if (starts == 1 || out_.unmatched.size() == unmatched) return;
    take_back();
    join_in_order(chain, {});
  }

  // Moves the start before its ends. If any end follows it, an end long before it belongs to another arrow and stays before it.
  void start_first(std::vector<std::uint32_t>& chain) const {
    const auto start = std::ranges::find(chain, FlowPoint::Kind::Start, [&](std::uint32_t i) { return points_[i].kind; });
    const Ns time = points_[*start].time;
    const bool has_ends = start + 1 != chain.end();
    const auto first = std::find_if(chain.begin(), start, [&](std::uint32_t i) {
      return !has_ends || time - points_[i].time <= kMostDisagreement;
    });
    std::rotate(first, start, start + 1);
  }

  void join_in_order(std::span<const std::uint32_t> chain, std::optional<std::uint32_t> tail) {
    bool used = tail.has_value();
    for (const std::uint32_t i : chain) {
      const FlowPoint::Kind kind = points_[i].kind;
      if (kind != FlowPoint::Kind::Start) {
        if (tail) {
          out_.links.push_back({*tail, i});
        } else {
          out_.unmatched.push_back(i);
        }
        used |= tail.has_value();
      }
      // A step without an earlier start begins no chain: the arrow's origin is unknown.
      if (kind == FlowPoint::Kind::Start || (kind == FlowPoint::Kind::Step && tail)) {
        if (tail && !used) out_.unmatched.push_back(*tail);
        tail = i;
        used = kind == FlowPoint::Kind::Step && used;
      }
    }
    if (tail && !used) out_.unmatched.push_back(*tail);
  }

  // --- several programs in one source ---

  LaunchPoint launch_point(std::uint32_t i) const { return {points_[i].ref, points_[i].lane, points_[i].time}; }
  LaunchPrograms::Group group_of(std::uint32_t i) const { return programs_.group_of(launch_point(i)); }
  bool is_on_stream(std::uint32_t i) const { return lanes_[idx(points_[i].lane)].kind == LaneKind::Stream; }

  // Without correlation ids, a start that is not on a stream is the call that launched the work at the arrow's end.
  bool is_call(std::uint32_t i) const {
    return points_[i].kind == FlowPoint::Kind::Start && (is_correlation(i) || !is_on_stream(i));
  }
  bool is_work(std::uint32_t i) const {
    if (points_[i].kind != FlowPoint::Kind::End) return false;
    return is_correlation(i) || (is_on_stream(i) && !correlates_.contains(points_[i].ref.source()));
  }

  bool calls_of_several_groups() {
    std::map<SourceId, LaneId> program;
    std::optional<std::pair<SourceId, LaneId>> last;
    bool several = false;
    for (std::uint32_t i = 0; i < points_.size() && !several; ++i) {
      if (!is_call(i)) continue;
      const auto group = group_of(i);
      if (last == group) continue;
      last = group;
      several = program.try_emplace(group.first, group.second).first->second != group.second;
    }
    return several;
  }

  void place_calls() {
    for (std::uint32_t i = 0; i < points_.size(); ++i) {
      if (is_correlation(i)) correlates_.insert(points_[i].ref.source());
      if (is_call(i)) programs_.place_call(launch_point(i));
    }
  }

  // Compares the points of one id and source. Textual ids are all 0, and differ by key.
  void compare_programs(std::span<const std::uint32_t> of_source) {
    const bool correlates = correlates_.contains(points_[of_source.front()].ref.source());
    std::map<std::uint32_t, std::pair<std::vector<LaunchPoint>, std::vector<LaunchPoint>>> by_key;
    for (const std::uint32_t i : of_source) {
      if (is_correlation(i) != correlates) continue;
      const std::uint32_t key = correlates ? 0 : points_[i].key;
      if (is_call(i)) by_key[key].first.push_back(launch_point(i));
      if (is_work(i)) by_key[key].second.push_back(launch_point(i));
    }
    for (const auto& [key, ends] : by_key) programs_.compare(ends.first, ends.second);
  }

  bool starts_in_several_groups(std::span<const std::uint32_t> chain) const {
    std::optional<LaunchPrograms::Group> first;
    for (const std::uint32_t i : chain) {
      if (points_[i].kind != FlowPoint::Kind::Start) continue;
      if (!first) first = group_of(i);
      if (*first != group_of(i)) return true;
    }
    return false;
  }

  // Each program counts its arrows separately. But programs without ranks that call each other may alternate within one id. Their
  // points are joined in time order, as long as starts and ends alternate.
  void join_by_program(std::span<const std::uint32_t> chain) {
    std::map<LaunchPrograms::Group, std::vector<std::uint32_t>> parts;
    std::map<LaneId, LaunchPrograms::Group> of_root;
    bool by_turns = true;
    for (std::size_t c = 0; c < chain.size(); ++c) {
      const bool starts = points_[chain[c]].kind == FlowPoint::Kind::Start;
      by_turns &= starts == (c % 2 == 0) && !is_on_stream(chain[c]);
      if (!starts) continue;
      parts[group_of(chain[c])];
      of_root.emplace(programs_.root_of(points_[chain[c]].lane), group_of(chain[c]));
    }
    if (of_root.size() == 1 && by_turns) return join_chain(chain, {});
    std::vector<std::uint32_t> others;
    for (const std::uint32_t i : chain) {
      if (const auto own = parts.find(group_of(i)); own != parts.end()) {
        own->second.push_back(i);
      } else if (is_on_stream(i)) {
        const auto program = programs_.program_of(launch_point(i));
        const auto part = program ? parts.find(*program) : parts.end();
        (part == parts.end() ? out_.doubtful : part->second).push_back(i);
      } else if (const auto near = of_root.find(programs_.root_of(points_[i].lane)); near != of_root.end() && of_root.size() > 1) {
        parts[near->second].push_back(i);
      } else {
        others.push_back(i);
      }
    }
    for (const auto& [program, part] : parts) join_chain(part, {});
    join_chain(others, {});
  }

  // Correlation ids are unique within a source only. `visit`: gets its points, by time.
  void each_source(std::span<std::uint32_t> of_id, auto visit) const {
    const auto source_of = [](const PlacedFlowPoint& point) { return point.ref.source(); };
    sort(of_id, [&](const PlacedFlowPoint& a, const PlacedFlowPoint& b) {
      return source_of(a) != source_of(b) ? source_of(a) < source_of(b) : a.time < b.time;
    });
    while (!of_id.empty()) {
      const SourceId source = source_of(points_[of_id.front()]);
      const auto end = std::ranges::find_if(of_id, [&](std::uint32_t i) { return source_of(points_[i]) != source; });
      const auto n = static_cast<std::size_t>(end - of_id.begin());
      visit(std::span<const std::uint32_t>(of_id.first(n)));
      of_id = of_id.subspan(n);
    }
  }

  void sort_out(std::span<const std::uint32_t> points) {
    calls_.clear(), works_.clear(), rest_.clear();
    for (const std::uint32_t i : points) {
      if (!is_correlation(i)) {
        rest_.push_back(i);
      } else {
        (points_[i].kind == FlowPoint::Kind::Start ? calls_ : works_).push_back({i, points_[i].key});
      }
    }
  }

  // Joins points of one id and source, by time.
  void join_launch(std::span<const std::uint32_t> points) {
    sort_out(points);
    const bool both = !calls_.empty() && !works_.empty();
    // An end at a call is no evidence: kineto writes one for each call without known work. But flow events can join calls: MTIA's
    // join the program's to the device's side.
    const auto starts = [&](std::uint32_t i) { return points_[i].kind == FlowPoint::Kind::Start; };
    const auto is_start = [](const CorrelatedEnd& call) { return call.said_by != kNoGroup; };
    const bool among_calls = !both && (std::ranges::any_of(rest_, starts) || std::ranges::any_of(calls_, is_start));
    std::erase_if(rest_, [&](std::uint32_t i) { return is_said(points_[i], both, among_calls); });
    if (both) {
      join_calls_and_works();
      if (!rest_.empty()) join_keys(rest_, calls_);
      return;
    }
    // Only one side has correlations: use what flow events say about it.
    for (const CorrelatedEnd& end : calls_.empty() ? works_ : calls_) {
      if (end.said_by != kNoGroup) rest_.push_back(end.point);
    }
    // Restore file order: the order of the ends of slices and of flow events depends on the chunks.
    std::ranges::sort(rest_, {}, [&](std::uint32_t i) { return std::pair(points_[i].ref.offset(), i); });
    join_keys(rest_);
  }

  // Whether a flow point is redundant, because it is at the begin of a slice with this correlation id.
  bool is_said(const PlacedFlowPoint& point, bool both, bool among_calls) {
    const auto same_place = [&](const CorrelatedEnd& end) {
      const PlacedFlowPoint& slice = points_[end.point];
      return slice.lane == point.lane && slice.time == point.time;
    };
    if (point.kind == FlowPoint::Kind::Step) return false;
    std::vector<CorrelatedEnd>& ends = point.kind == FlowPoint::Kind::Start ? calls_ : works_;
    // Many kernels of a graph may have one id; both lists are sorted by time.
    const auto time_of = [&](const CorrelatedEnd& end) { return points_[end.point].time; };
    const auto first = std::ranges::lower_bound(ends, point.time, {}, time_of);
    const auto last = std::ranges::upper_bound(ends, point.time, {}, time_of);
    // Prefer the slice that the flow event directly follows in the file.
    const auto same_record = [&](const CorrelatedEnd& end) {
      return point.bind == FlowPoint::Bind::Record && points_[end.point].ref.identity() == point.ref.identity();
    };
    auto found = std::find_if(first, last, same_record);
    const bool behind = found != last;
    if (!behind) found = std::find_if(first, last, same_place);
    if (both && found != last) {
      if (behind || found->said_by == kNoGroup) found->said_by = point.key;
      return true;
    }
    return point.kind == FlowPoint::Kind::End && !among_calls && std::ranges::any_of(calls_, same_place);
  }

  void join_calls_and_works() {
    for (const CorrelatedEnd& work : works_) {
      bool doubtful = false;
      if (const CorrelatedEnd* call = call_of(work, doubtful)) {
        out_.links.push_back({call->point, work.point});
      } else if (doubtful) {
        out_.doubtful.push_back(work.point);
      } else if (work.said_by != kNoGroup) {
        out_.unmatched.push_back(work.point);
      }
    }
  }

  // If a driver's call is within a runtime's, flow events name the one that launched something. Otherwise the latest call that
  // begins before the work, else the first.
  const CorrelatedEnd* call_of(const CorrelatedEnd& work, bool& doubtful) const {
    if (calls_.size() == 1 && !programs_.several()) return &calls_.front();
    std::optional<LaunchPrograms::Group> program;
    if (programs_.several()) {
      program = programs_.program_of(launch_point(work.point));
      const auto first = group_of(calls_.front().point);
      const auto of_first = [&](const CorrelatedEnd& call) { return group_of(call.point) == first; };
      const bool one = std::ranges::all_of(calls_, of_first);
      if (!program && one && programs_.may_be_of(launch_point(work.point), first)) program = first;
      doubtful = !program && !one;
      if (!program) return nullptr;
    }
    const CorrelatedEnd* best = nullptr;
    for (const CorrelatedEnd& call : calls_) {
      if (program && group_of(call.point) != *program) continue;
      const bool said = call.said_by != kNoGroup, best_said = best && best->said_by != kNoGroup;
      const bool before = points_[call.point].time <= points_[work.point].time;
      if (!best || (said != best_said ? said : before)) best = &call;
    }
    return best;
  }

  const std::span<const PlacedFlowPoint> points_;
  const std::span<const Lane> lanes_;
  FlowLinks& out_;
  LaunchPrograms programs_;
  std::set<SourceId> correlates_;  // sources of several programs that have correlation ids
  mutable std::vector<std::uint32_t> spare_;
  std::vector<CorrelatedEnd> calls_, works_;  // of the current id and source, by time
  std::vector<std::uint32_t> rest_;
};

// Only joined points: while a trace is read, most arrows have only one end yet. Points come in file order, so within a lane they
// are nearly sorted by time.
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

// A program that merges files renumbers flows and correlation ids separately, so each launch has two arrows. Flows of a key count
// as launches if most of them join the same slices as a correlation id. Otherwise they are arrows of their own (such as a critical
// path's).
class RepeatedLaunches {
 public:
  RepeatedLaunches(const Trace& trace, std::span<const PlacedFlowPoint> points, std::span<const FlowLinks::Link> links,
                   const std::vector<SegmentSlice>& bound)
      : points_(points), bound_(bound) {
    std::vector<const FlowLinks::Link*> others;
    std::vector<bool> launched(trace.slices.size(), false);
    for (const FlowLinks::Link& link : links) {
      if (!is_correlation(link)) others.push_back(&link);
      else if (bound[link.to] != kNone<SegmentSlice>) launched[idx(bound[link.to])] = true;
    }
    if (others.size() == links.size()) return;
    // Usually none of them ends at a launch.
    std::erase_if(others, [&](const FlowLinks::Link* link) {
      return bound[link->to] == kNone<SegmentSlice> || !launched[idx(bound[link->to])];
    });
    if (others.empty()) return;
    for (const FlowLinks::Link& link : links) {
      if (is_correlation(link)) launches_.push_back(ends_of(link));
    }
    std::ranges::sort(launches_, flow_less);
    for (const FlowLinks::Link& link : links) {
      if (!is_correlation(link)) ++of_key_[points[link.from].key].second;
    }
    for (const FlowLinks::Link* const link : others) of_key_[points[link->from].key].first += is_launch(*link) ? 1 : 0;
  }

  bool has(const FlowLinks::Link& link) const {
    if (launches_.empty() || is_correlation(link) || !is_launch(link)) return false;
    const auto [found, of] = of_key_.at(points_[link.from].key);
    return 2 * found > of;
  }

 private:
  SegmentFlow ends_of(const FlowLinks::Link& link) const { return {bound_[link.from], bound_[link.to]}; }
  bool is_correlation(const FlowLinks::Link& link) const {
    return points_[link.from].bind == FlowPoint::Bind::Correlation && points_[link.to].bind == FlowPoint::Bind::Correlation;
  }
  bool is_launch(const FlowLinks::Link& link) const { return std::ranges::binary_search(launches_, ends_of(link), flow_less); }

  std::span<const PlacedFlowPoint> points_;
  const std::vector<SegmentSlice>& bound_;
  std::vector<SegmentFlow> launches_;                                     // sorted; empty if no other flow joins the same slices
  std::map<std::uint32_t, std::pair<std::size_t, std::size_t>> of_key_;  // numbers of launches, and of flows
};

void add_flow(std::span<const PlacedFlowPoint> points, const std::vector<SegmentSlice>& bound, const RepeatedLaunches& repeated,
              const FlowLinks::Link& link, BoundFlows& out) {
  if (bound[link.from] == kNone<SegmentSlice> || bound[link.to] == kNone<SegmentSlice>) {
    out.unbound.push_back(bound[link.to] == kNone<SegmentSlice> ? link.to : link.from);
    return;
  }
  if (repeated.has(link)) return;
  out.flows.push_back({bound[link.from], bound[link.to]});
  const std::size_t source = idx(points[link.to].ref.source());
  if (source >= out.of_source.size()) out.of_source.resize(source + 1);
  ++out.of_source[source];
  const Ns back = points[link.from].time - points[link.to].time;
  if (back > 0) out.backwards.push_back({link.to, back});
}

}  // namespace

FlowLinks link_flows(std::span<const PlacedFlowPoint> points, std::span<const Lane> lanes, ThreadPool& pool) {
  FlowLinks out;
  if (points.empty()) return out;
  ChainJoin(points, lanes, out).run();
  list_by_lane(points, lanes.size(), out, pool);
  return out;
}

BoundFlows bind_flows(const Trace& trace, std::span<const PlacedFlowPoint> points, FlowLinks links, ThreadPool& pool) {
  const std::vector<SegmentSlice> bound = bind_points(trace, points, links, pool);
  BoundFlows out;
  out.unmatched = std::move(links.unmatched);
  out.doubtful = std::move(links.doubtful);
  const RepeatedLaunches repeated(trace, points, links.links, bound);
  constexpr std::size_t kPart = 1 << 15;
  const std::span<const FlowLinks::Link> all = links.links;
  std::vector<BoundFlows> parts((all.size() + kPart - 1) / kPart);
  pool.parallel_for(parts.size(), [&](std::size_t p) {
    for (const FlowLinks::Link& link : all.subspan(p * kPart, std::min(kPart, all.size() - p * kPart))) {
      add_flow(points, bound, repeated, link, parts[p]);
    }
  });
  out.flows.reserve(all.size());
  for (const BoundFlows& part : parts) {
    std::ranges::copy(part.flows, std::back_inserter(out.flows));
    std::ranges::copy(part.unbound, std::back_inserter(out.unbound));
    std::ranges::copy(part.backwards, std::back_inserter(out.backwards));
    out.of_source.resize(std::max(out.of_source.size(), part.of_source.size()));
    for (std::size_t s = 0; s < part.of_source.size(); ++s) out.of_source[s] += part.of_source[s];
  }
  std::vector<SegmentFlow> spare(out.flows.size());
  parallel_sort(std::span(out.flows), std::span(spare), flow_less, pool);
  return out;
}

}  // namespace tv
