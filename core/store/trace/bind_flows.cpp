#include "core/store/trace/bind_flows.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <span>
#include <utility>

#include "core/base/threads/parallel_sort.h"
#include "core/store/trace/bind_points.h"

namespace tv {
namespace {

// Finds flows that repeat launches. A program that merges files renumbers flows and correlation ids separately, so each launch
// has two arrows. Flows of a key count as launches if most of them join the same slices as a correlation id. Otherwise they are
// other arrows, such as those of a critical path.
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
    // Usually no other flow ends at a slice that was launched.
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
    const auto [launches, flows] = of_key_.at(points_[link.from].key);
    return 2 * launches > flows;
  }

 private:
  SegmentFlow ends_of(const FlowLinks::Link& link) const { return {bound_[link.from], bound_[link.to]}; }
  bool is_correlation(const FlowLinks::Link& link) const {
    return points_[link.from].bind == FlowPoint::Bind::Correlation && points_[link.to].bind == FlowPoint::Bind::Correlation;
  }
  bool is_launch(const FlowLinks::Link& link) const { return std::ranges::binary_search(launches_, ends_of(link), flow_less); }

  std::span<const PlacedFlowPoint> points_;
  const std::vector<SegmentSlice>& bound_;
  std::vector<SegmentFlow> launches_;                                     // sorted; empty if no other flow ends at a launched slice
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
