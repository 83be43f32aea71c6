// Which flow points are joined; bind_points.h then finds the slices at both ends.
#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "core/base/radix_order.h"
#include "core/base/sort_runs.h"
#include "core/store/trace/bind_flows.h"
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
  // `flow_key`: key of the equivalent flow event; kNoKey if there is none.
  struct CorrelatedEnd {
    std::uint32_t point, flow_key;
  };
  struct ListedCall {
    LaunchPrograms::Group program;  // if there are several
    bool unnamed;                   // no flow event names it
    std::uint32_t place;            // in calls_
  };

  bool is_correlation(std::uint32_t i) const { return points_[i].bind == FlowPoint::Bind::Correlation; }

  void sort(std::span<std::uint32_t> some, auto less) const {
    const auto by_index = [&](std::uint32_t i, std::uint32_t j) { return less(points_[i], points_[j]); };
    if (std::ranges::is_sorted(some, by_index)) return;
    sort_runs(some, std::span(spare_).first(some.size()), by_index);
  }

  using CallOfKey = std::map<std::uint32_t, std::uint32_t>;

  // Joins points of one id by key. `call_of_key`: the calls with this id that stand for start events (CorrelatedEnd::flow_key).
  void join_keys(std::span<std::uint32_t> of_id, const CallOfKey& call_of_key = {}) {
    sort(of_id, chain_less);
    while (!of_id.empty()) {
      const std::uint32_t key = points_[of_id.front()].key;
      const auto end = std::ranges::find_if(of_id, [&](std::uint32_t i) { return points_[i].key != key; });
      const auto n = static_cast<std::size_t>(end - of_id.begin());
      const auto call = call_of_key.find(key);
      if (call == call_of_key.end() && programs_.several() && starts_in_several_groups(of_id.first(n))) {
        join_by_program(of_id.first(n));
      } else {
        join_chain(of_id.first(n), call == call_of_key.end() ? std::nullopt : std::optional(call->second));
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
    const auto undo = [&] {
      out_.links.resize(links);
      out_.unmatched.resize(unmatched);
    };
    undo();
    join_in_order(other, {});
    if (starts == 1 || out_.unmatched.size() == unmatched) return;
    undo();
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

  // Each program counts its arrows separately. But arrows with one id may also go between programs without ranks. Such points
  // are joined in time order if starts and ends alternate.
  void join_by_program(std::span<const std::uint32_t> chain) {
    std::map<LaunchPrograms::Group, std::vector<std::uint32_t>> parts;
    std::map<LaneId, LaunchPrograms::Group> of_root;
    bool alternate = true;
    for (std::size_t c = 0; c < chain.size(); ++c) {
      const bool starts = points_[chain[c]].kind == FlowPoint::Kind::Start;
      alternate &= starts == (c % 2 == 0) && !is_on_stream(chain[c]);
      if (!starts) continue;
      parts[group_of(chain[c])];
      of_root.emplace(programs_.root_of(points_[chain[c]].lane), group_of(chain[c]));
    }
    if (of_root.size() == 1 && alternate) return join_chain(chain, {});
    std::vector<std::uint32_t> others;
    for (const std::uint32_t i : chain) {
      if (const auto part_of_group = parts.find(group_of(i)); part_of_group != parts.end()) {
        part_of_group->second.push_back(i);
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

  // Splits points into calls, works and other flow points.
  void split_points(std::span<const std::uint32_t> points) {
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
    split_points(points);
    const bool both = !calls_.empty() && !works_.empty();
    // An end at a call is no evidence: kineto writes one for each call without known work. But flow events can join calls: MTIA's
    // lead from a call of the program to one on the device's side.
    const auto starts = [&](std::uint32_t i) { return points_[i].kind == FlowPoint::Kind::Start; };
    const auto is_start = [](const CorrelatedEnd& call) { return call.flow_key != kNoKey; };
    const bool among_calls = !both && (std::ranges::any_of(rest_, starts) || std::ranges::any_of(calls_, is_start));
    std::erase_if(rest_, [&](std::uint32_t i) { return repeats_launch(points_[i], both, among_calls); });
    if (both) {
      join_calls_and_works();
      if (rest_.empty()) return;
      CallOfKey call_of_key;
      for (const CorrelatedEnd& call : calls_) {
        if (call.flow_key != kNoKey) call_of_key.emplace(call.flow_key, call.point);
      }
      join_keys(rest_, call_of_key);
      return;
    }
    // Only one side has correlation ids, so flow events must name the other side.
    for (const CorrelatedEnd& end : calls_.empty() ? works_ : calls_) {
      if (end.flow_key != kNoKey) rest_.push_back(end.point);
    }
    // Restore file order: the order of the ends of slices and of flow events depends on the chunks.
    std::ranges::sort(rest_, {}, [&](std::uint32_t i) { return std::pair(points_[i].ref.offset(), i); });
    join_keys(rest_);
  }

  // Whether a flow point only repeats a launch, because it is at the begin of a slice with this correlation id.
  bool repeats_launch(const PlacedFlowPoint& point, bool both, bool among_calls) {
    const auto same_place = [&](const CorrelatedEnd& end) {
      const PlacedFlowPoint& slice = points_[end.point];
      return slice.lane == point.lane && slice.time == point.time;
    };
    // Many kernels of a graph may have one id; both lists are sorted by time.
    const auto at_its_time = [&](std::vector<CorrelatedEnd>& ends) {
      const auto time_of = [&](const CorrelatedEnd& end) { return points_[end.point].time; };
      return std::span(std::ranges::lower_bound(ends, point.time, {}, time_of), std::ranges::upper_bound(ends, point.time, {}, time_of));
    };
    if (point.kind == FlowPoint::Kind::Step) return false;
    const auto ends = at_its_time(point.kind == FlowPoint::Kind::Start ? calls_ : works_);
    // Prefer the slice that the flow event directly follows in the file.
    const auto same_record = [&](const CorrelatedEnd& end) {
      return point.bind == FlowPoint::Bind::Record && points_[end.point].ref.identity() == point.ref.identity();
    };
    auto found = std::ranges::find_if(ends, same_record);
    const bool by_record = found != ends.end();
    if (!by_record) found = std::ranges::find_if(ends, same_place);
    if (both && found != ends.end()) {
      if (by_record || found->flow_key == kNoKey) found->flow_key = point.key;
      return true;
    }
    return point.kind == FlowPoint::Kind::End && !among_calls && std::ranges::any_of(at_its_time(calls_), same_place);
  }

  void join_calls_and_works() {
    if (calls_.size() > 1 || programs_.several()) list_calls();
    for (const CorrelatedEnd& work : works_) {
      bool doubtful = false;
      if (const auto call = call_of(work, doubtful)) {
        out_.links.push_back({*call, work.point});
      } else if (doubtful) {
        out_.doubtful.push_back(work.point);
      } else if (work.flow_key != kNoKey) {
        out_.unmatched.push_back(work.point);
      }
    }
  }

  void list_calls() {
    listed_.clear();
    for (std::uint32_t c = 0; c < calls_.size(); ++c) {
      const auto program = programs_.several() ? group_of(calls_[c].point) : LaunchPrograms::Group();
      listed_.push_back({program, calls_[c].flow_key == kNoKey, c});
    }
    std::ranges::sort(listed_, {}, [](const ListedCall& call) { return std::tuple(call.program, call.unnamed, call.place); });
  }

  // Chooses among the calls that flow events name, because a driver's call can be within a runtime's; if there are none, among all
  // calls. Takes the latest that begins before the work, or else the first one.
  std::optional<std::uint32_t> call_of(const CorrelatedEnd& work, bool& doubtful) const {
    if (calls_.size() == 1 && !programs_.several()) return calls_.front().point;
    std::optional<LaunchPrograms::Group> program = LaunchPrograms::Group();
    if (programs_.several()) {
      program = programs_.program_of(launch_point(work.point));
      const auto first = group_of(calls_.front().point);
      const bool one = listed_.front().program == listed_.back().program;
      if (!program && one && programs_.may_be_of(launch_point(work.point), first)) program = first;
      doubtful = !program && !one;
      if (!program) return std::nullopt;
    }
    const auto kind_of = [](const ListedCall& call) { return std::pair(call.program, call.unnamed); };
    const auto begin = std::ranges::lower_bound(listed_, std::pair(*program, false), {}, kind_of);
    if (begin == listed_.end() || begin->program != *program) return std::nullopt;
    const auto end = std::ranges::upper_bound(begin, listed_.end(), kind_of(*begin), {}, kind_of);
    const auto time_of = [&](const ListedCall& call) { return points_[calls_[call.place].point].time; };
    const auto later = std::ranges::upper_bound(begin, end, points_[work.point].time, {}, time_of);
    return calls_[(later == begin ? begin : std::prev(later))->place].point;
  }

  const std::span<const PlacedFlowPoint> points_;
  const std::span<const Lane> lanes_;
  FlowLinks& out_;
  LaunchPrograms programs_;
  std::set<SourceId> correlates_;  // sources of several programs that have correlation ids
  mutable std::vector<std::uint32_t> spare_;
  std::vector<CorrelatedEnd> calls_, works_;  // of the current id and source, by time
  std::vector<ListedCall> listed_;            // the calls by program: first those that flow events name, then by time
  std::vector<std::uint32_t> rest_;
};

// Lists only joined points, because most arrows have only one end while a trace is read. Points come in file order, so those of a
// lane are nearly sorted by time.
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

}  // namespace

FlowLinks link_flows(std::span<const PlacedFlowPoint> points, std::span<const Lane> lanes, ThreadPool& pool) {
  FlowLinks out;
  if (points.empty()) return out;
  ChainJoin(points, lanes, out).run();
  list_by_lane(points, lanes.size(), out, pool);
  return out;
}

}  // namespace tv
