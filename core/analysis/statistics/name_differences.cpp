#include "core/analysis/statistics/name_differences.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

namespace tv {
namespace {

bool has_slices(const Trace& trace, LaneId lane) {
  for (std::size_t l = idx(lane); l < idx(trace.lane(lane).subtree_end); ++l) {
    if (trace.lanes[l].slices > 0) return true;
  }
  return false;
}

// Those with slices directly below a lane, at most so many; of kNone the outermost ones.
std::vector<LaneId> parts_below(const Trace& trace, LaneId parent, std::size_t most) {
  std::vector<LaneId> parts;
  const std::size_t end = parent == kNone<LaneId> ? trace.lanes.size() : idx(trace.lane(parent).subtree_end);
  for (std::size_t l = parent == kNone<LaneId> ? 0 : idx(parent) + 1; l < end && parts.size() < most;) {
    const auto lane = id_at<LaneId>(l);
    if (has_slices(trace, lane)) parts.push_back(lane);
    l = idx(trace.lane(lane).subtree_end);
  }
  return parts;
}

std::vector<LaneId> outermost_parts(const Trace& trace, std::size_t most) {
  LaneId inside = kNone<LaneId>;
  while (true) {
    const std::vector<LaneId> parts = parts_below(trace, inside, most);
    if (parts.size() != 1) return parts;
    inside = parts.front();
  }
}

std::string path_text(const Trace& trace, LaneId lane) {
  std::string path;
  for (const std::string& part : trace.path_of(lane)) path += (path.empty() ? "" : "/") + part;
  return path;
}

}  // namespace

bool has_compared_parts(const Trace& trace) { return outermost_parts(trace, 2).size() > 1; }

std::vector<ComparedPart> compared_parts(const Trace& trace) {
  std::vector<ComparedPart> out;
  for (const LaneId lane : outermost_parts(trace, SIZE_MAX)) out.push_back({lane, trace.lane(lane).name});
  if (out.size() < 2) return {};
  std::map<std::string_view, int> named;
  for (const ComparedPart& part : out) ++named[trace.lane(part.lane).name];
  for (ComparedPart& part : out) {
    if (named[trace.lane(part.lane).name] > 1) part.name = path_text(trace, part.lane);
  }
  return out;
}

std::vector<NameDifference> name_differences(const LabelTable& labels, const RangeStats& a, const RangeStats& b) {
  std::map<std::pair<std::string_view, std::string_view>, NameDifference> by_name;
  const auto of = [&](const LabelStats& stats) -> NameDifference& {
    return by_name[{counted_name(labels, stats.label), labels.category(stats.label)}];
  };
  for (const LabelStats& stats : b.labels) {
    NameDifference& one = of(stats);
    one.label = stats.label;
    one.b_count = stats.count;
    one.b_total = stats.total;
    one.b_mean = stats.mean;
    one.b_longest = stats.longest;
  }
  for (const LabelStats& stats : a.labels) {
    NameDifference& one = of(stats);
    one.label = stats.label;
    one.a_count = stats.count;
    one.a_total = stats.total;
    one.a_mean = stats.mean;
    one.a_longest = stats.longest;
  }
  std::vector<NameDifference> out;
  out.reserve(by_name.size());
  for (const auto& [name, one] : by_name) out.push_back(one);
  std::ranges::stable_sort(out, std::greater(), [](const NameDifference& one) { return std::abs(one.difference()); });
  return out;
}

}  // namespace tv
