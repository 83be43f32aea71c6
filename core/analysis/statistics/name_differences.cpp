#include "core/analysis/statistics/name_differences.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "core/store/trace/tell_recordings.h"

namespace tv {
namespace {

bool has_slices(const Trace& trace, LaneId lane) {
  for (std::size_t l = idx(lane); l < idx(trace.lane(lane).subtree_end); ++l) {
    if (trace.lanes[l].slices > 0) return true;
  }
  return false;
}

// The lanes with slices directly below `parent`, at most `most`; for kNone the outermost lanes.
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
  LaneId parent = kNone<LaneId>;
  while (true) {
    const std::vector<LaneId> parts = parts_below(trace, parent, most);
    if (parts.size() != 1) return parts;
    parent = parts.front();
  }
}

std::string path_text(const Trace& trace, LaneId lane) {
  std::string path;
  for (const std::string& part : trace.path_of(lane)) path += (path.empty() ? "" : "/") + part;
  return path;
}

// Sorts outermost lanes by the order of their files. A lane of several files stays next to the previous lane.
std::vector<LaneId> in_order_of_files(const Trace& trace, std::vector<LaneId> lanes) {
  if (lanes.empty() || trace.lane(lanes.front()).parent != kNone<LaneId>) return lanes;
  const LaneFiles files(trace);
  std::map<LaneId, std::size_t> order;
  std::size_t last = 0;
  for (const LaneId lane : lanes) {
    if (const auto file = files.of(lane)) last = idx(*file);
    order[lane] = last;
  }
  std::ranges::stable_sort(lanes, {}, [&](LaneId lane) { return order.at(lane); });
  return lanes;
}

}  // namespace

bool has_compared_parts(const Trace& trace) { return outermost_parts(trace, 2).size() > 1; }

std::vector<ComparedPart> compared_recordings(const Trace& trace) {
  const LaneFiles files(trace);
  std::vector<ComparedPart> out;
  for (const LaneId lane : in_order_of_files(trace, parts_below(trace, kNone<LaneId>, SIZE_MAX))) {
    const std::string_view recording = files.recording(lane);
    if (recording.empty()) continue;
    auto part = std::ranges::find(out, recording, &ComparedPart::name);
    if (part == out.end()) part = out.insert(out.end(), ComparedPart{{}, std::string(recording)});
    part->lanes.push_back(lane);
  }
  return out.size() < 2 ? std::vector<ComparedPart>() : out;
}

std::vector<ComparedPart> compared_parts(const Trace& trace) {
  const std::vector<LaneId> lanes = in_order_of_files(trace, outermost_parts(trace, SIZE_MAX));
  if (lanes.size() < 2) return {};
  // If each recording has only one lane, that lane stands for it.
  std::vector<ComparedPart> out = compared_recordings(trace);
  if (std::ranges::all_of(out, [](const ComparedPart& part) { return part.lanes.size() == 1; })) out.clear();
  std::map<std::string_view, int> named;
  for (const LaneId lane : lanes) ++named[trace.lane(lane).name];
  for (const LaneId lane : lanes) {
    const std::string& name = trace.lane(lane).name;
    out.push_back({{lane}, named[name] > 1 ? path_text(trace, lane) : name});
  }
  std::map<std::string, int> seen;
  for (ComparedPart& part : out) {
    if (const int before = seen[part.name]++; before > 0) part.name += fmt::format(" ({})", before + 1);
  }
  return out;
}

std::vector<NameDifference> name_differences(const LabelTable& labels, const RangeStats& a, const RangeStats& b) {
  std::map<std::pair<std::string_view, std::string_view>, NameDifference> by_name;
  const auto difference_of = [&](const LabelStats& stats) -> NameDifference& {
    return by_name[{counted_name(labels, stats.label), labels.category(stats.label)}];
  };
  for (const LabelStats& stats : b.labels) {
    NameDifference& one = difference_of(stats);
    one.label = stats.label;
    one.b_count = stats.count;
    one.b_total = stats.total;
    one.b_mean = stats.mean;
    one.b_longest = stats.longest;
  }
  for (const LabelStats& stats : a.labels) {
    NameDifference& one = difference_of(stats);
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
