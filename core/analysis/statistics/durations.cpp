#include "core/analysis/statistics/durations.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <tuple>
#include <unordered_map>

#include "core/analysis/scope/device_work.h"
#include "core/base/text/count_text.h"
#include "core/query/lane_set.h"
#include "core/query/range_stats.h"
#include "core/query/row_search.h"

namespace tv {
namespace {

// Visits each slice row in the scope with the index range that the scope selects; `in` is indexed by lane.
template <class Visit>
bool each_row(const Trace& trace, const std::optional<Scope>& scope, const std::vector<bool>& in, std::stop_token stop,
              Visit visit) {
  for (const Row& row : trace.rows) {
    if (stop.stop_requested()) return false;
    if (row.kind != RowKind::Slices || (!in.empty() && !in[idx(row.lane)])) continue;
    const RowSlices slices = trace.slices_of(row);
    visit(row, slices, scope ? touching(slices, scope->range) : RowPart{0, slices.size()});
  }
  return true;
}

// Whether the label is counted under its category: "forward" for "forward_12".
bool counted_by_category(const LabelTable& labels, LabelId label) {
  return counted_name(labels, label).data() != labels.name(label).data();
}

bool never_ended(const Trace& trace, SliceId slice) { return trace.ref_of(slice).is(kUnfinished); }

struct LengthsOnLane {
  LaneId lane;
  std::vector<LaneId> path;  // from the outermost group to the lane
  std::vector<SliceLength> lengths;
};

std::vector<LaneId> lane_and_groups(const Trace& trace, LaneId lane) {
  std::vector<LaneId> path;
  for (LaneId at = lane; at != kNone<LaneId>; at = trace.lane(at).parent) path.insert(path.begin(), at);
  return path;
}

// The outermost groups that divide the slices: ranks if there are several, else the groups within the single rank.
std::vector<DurationGroup> groups_of(const Trace& trace, std::vector<LengthsOnLane> lanes) {
  std::vector<DurationGroup> groups;
  if (lanes.empty()) return groups;
  std::size_t level = 0;
  const auto at = [&](const LengthsOnLane& lane) { return lane.path[std::min(level, lane.path.size() - 1)]; };
  const auto deepest = std::ranges::max_element(lanes, {}, [](const LengthsOnLane& lane) { return lane.path.size(); });
  const std::size_t levels = deepest->path.size();
  const auto all_alike = [&] {
    return std::ranges::all_of(lanes, [&](const LengthsOnLane& lane) { return at(lane) == at(lanes.front()); });
  };
  while (level + 1 < levels && all_alike()) ++level;
  for (LengthsOnLane& lane : lanes) {
    const LaneId group = at(lane);
    if (groups.empty() || groups.back().lane != group) groups.push_back({group, trace.lane(group).name, {}});
    std::vector<SliceLength>& into = groups.back().lengths;
    if (into.empty()) {
      into = std::move(lane.lengths);
    } else {
      into.insert(into.end(), lane.lengths.begin(), lane.lengths.end());
    }
  }
  std::unordered_map<std::string_view, std::size_t> alike;  // by name: number of groups
  for (const DurationGroup& group : groups) ++alike[trace.lane(group.lane).name];
  for (DurationGroup& group : groups) {
    std::ranges::sort(group.lengths);
    const LaneId parent = trace.lane(group.lane).parent;
    if (alike[trace.lane(group.lane).name] > 1 && parent != kNone<LaneId>) group.name = trace.lane(parent).name + ", " + group.name;
  }
  return groups;
}

// The time within a scope of labels that are counted together.
struct NameTime {
  Ns total = 0;
  std::uint64_t count = 0;
};

// Longest first; ties in trace order.
bool longer_first(const SliceLength& a, const SliceLength& b) {
  return a.duration != b.duration ? a.duration > b.duration : a.slice < b.slice;
}

class SlowestWalk {
 public:
  SlowestWalk(SliceLength from, bool known, bool forward) : from_(from), known_(known), forward_(forward) {}

  void consider(SliceLength one) {
    if (!known_ || forward_) {
      if (known_ && !longer_first(from_, one)) return;
      if (!best_ || longer_first(one, *best_)) best_ = one;
    } else if (longer_first(one, from_) && (!best_ || longer_first(*best_, one))) {
      best_ = one;
    }
  }
  std::optional<SliceId> best() const { return best_ ? std::optional(best_->slice) : std::nullopt; }

 private:
  SliceLength from_;
  bool known_, forward_;
  std::optional<SliceLength> best_;
};

std::string part_text(double part, double whole) {
  return fmt::format("{:.1f} %", whole > 0 ? 100 * part / whole : 0.0);
}

}  // namespace

LabelSet counted_together(const LabelTable& labels, LabelId label) {
  LabelSet out(labels.size());
  out.insert(label);
  if (!counted_by_category(labels, label)) return out;
  for (std::size_t l = 0; l < labels.size(); ++l) {
    const auto other = id_at<LabelId>(l);
    if (labels.category(other) == labels.category(label) && counted_by_category(labels, other)) out.insert(other);
  }
  return out;
}

Durations durations(const Trace& trace, LabelId label, const std::optional<Scope>& scope, std::stop_token stop) {
  Durations out;
  out.label = label;
  const LabelSet labels = counted_together(trace.labels, label);
  std::vector<bool> in;
  if (scope && !scope->lanes.empty()) {
    // If none of the scope's lanes has the name, the lanes restrict nothing.
    const auto of_name = [&](LabelId name) { return labels.contains(name); };
    const ScopeLanes lanes = lanes_of(trace, *scope, lanes_with_label(trace, of_name));
    in = lanes.in;
    out.on_lanes = lanes.lanes_count;
  }
  std::vector<LengthsOnLane> lanes;
  out.cancelled = !each_row(trace, scope, in, stop, [&](const Row& row, const RowSlices& slices, RowPart part) {
    for (std::size_t i = part.first; i < part.last; ++i) {
      if (!labels.contains(slices.label(i))) continue;
      if (never_ended(trace, slices.id(i))) {
        ++out.unfinished;
        continue;
      }
      if (lanes.empty() || lanes.back().lane != row.lane) {
        lanes.push_back({row.lane, lane_and_groups(trace, row.lane), {}});
      }
      lanes.back().lengths.push_back({slices.duration(i), slices.id(i)});
    }
  });
  if (out.cancelled) return out;
  out.groups = groups_of(trace, std::move(lanes));
  for (const DurationGroup& group : out.groups)
    out.all.insert(out.all.end(), group.lengths.begin(), group.lengths.end());
  if (out.groups.size() > 1) std::ranges::sort(out.all);
  return out;
}

Durations durations_or_all(const Trace& trace, LabelId label, const std::optional<Scope>& scope) {
  Durations out = durations(trace, label, scope);
  if (!scope || !out.all.empty()) return out;
  out = durations(trace, label);
  out.in_scope = false;
  return out;
}

std::optional<LabelId> leading_name(const Trace& trace, const std::optional<Scope>& scope, const LabelSet& among) {
  std::vector<bool> in;
  if (scope && !scope->lanes.empty()) in = lanes_of(trace, *scope, std::vector<bool>(trace.lanes.size(), true)).in;
  std::vector<NameTime> times(trace.labels.size());
  each_row(trace, scope, in, {}, [&](const Row&, const RowSlices& slices, RowPart part) {
    for (std::size_t i = part.first; i < part.last; ++i) {
      NameTime& time = times[idx(slices.label(i))];
      ++time.count;
      time.total += scope ? clip_to(slices.range(i), scope->range).length() : slices.duration(i);
    }
  });
  // Numbered names count as one. With `among`, each label counts separately.
  std::unordered_map<std::string_view, std::size_t> first;  // by category: its first numbered name that occurs
  for (std::size_t l = 0; l < times.size() && among.empty(); ++l) {
    const auto label = id_at<LabelId>(l);
    if (times[l].count == 0 || !counted_by_category(trace.labels, label)) continue;
    const auto [found, is_first] = first.try_emplace(trace.labels.category(label), l);
    if (is_first) continue;
    times[found->second].total += times[l].total;
    times[found->second].count += times[l].count;
    times[l] = {};
  }
  const std::vector<bool> kernels = labels_of(trace, WorkKind::kernels);
  bool of_kernels = false;
  for (std::size_t l = 0; l < times.size() && among.empty(); ++l) of_kernels |= kernels[l] && times[l].total > 0;
  std::optional<std::size_t> best;
  const auto rank = [&](std::size_t l) { return std::tuple(times[l].count > 1, times[l].total); };
  for (std::size_t l = 0; l < times.size(); ++l) {
    if (times[l].count == 0 || (of_kernels && !kernels[l])) continue;
    if (!among.empty() && !among.contains(id_at<LabelId>(l))) continue;
    if (!best || rank(l) > rank(*best)) best = l;
  }
  return best ? std::optional(id_at<LabelId>(*best)) : std::nullopt;
}

std::optional<LabelId> label_of_text(const Trace& trace, std::string_view text, const std::optional<Scope>& scope) {
  LabelSet exactly(trace.labels.size());
  for (std::size_t l = 0; l < trace.labels.size(); ++l) {
    const auto label = id_at<LabelId>(l);
    if (trace.labels.name(label) == text || counted_name(trace.labels, label) == text) exactly.insert(label);
  }
  const LabelSet named = exactly.empty() ? find_labels(trace.labels, text) : exactly;
  if (named.empty()) return std::nullopt;
  const auto found = leading_name(trace, scope, named);
  return found || !scope ? found : leading_name(trace, {}, named);
}

bool BrushedSlices::contains(SliceId slice) const { return std::ranges::binary_search(slices, slice); }

BrushedSlices brushed_slices(const Durations& durations, const SliceBrush& brush) {
  BrushedSlices out;
  out.brush = brush;
  out.name_count = durations.all.size();
  for (const SliceLength& one : durations.all) {
    out.name_total += one.duration;
    if (one.duration < brush.least || one.duration > brush.most) continue;
    out.total += one.duration;
    out.slices.push_back(one.slice);
  }
  std::ranges::sort(out.slices);
  return out;
}

std::string words_of(const BrushedSlices& brushed) {
  return fmt::format("{} of {} slices ({}), {} of their time, last {} to {}", format_count(brushed.slices.size()),
                     format_count(brushed.name_count),
                     part_text(static_cast<double>(brushed.slices.size()), static_cast<double>(brushed.name_count)),
                     part_text(static_cast<double>(brushed.total), static_cast<double>(brushed.name_total)),
                     format_duration(brushed.brush.least), format_duration(brushed.brush.most));
}

std::optional<SliceId> next_slowest(const Trace& trace, const LabelSet& labels, SliceId from, bool forward) {
  const bool known = from != kNone<SliceId> && labels.contains(trace.label_of(from));
  SlowestWalk walk({known ? trace.duration_of(from) : 0, from}, known, forward);
  each_row(trace, {}, {}, {}, [&](const Row&, const RowSlices& slices, RowPart part) {
    for (std::size_t i = part.first; i < part.last; ++i) {
      if (!labels.contains(slices.label(i)) || slices.id(i) == from || never_ended(trace, slices.id(i))) continue;
      walk.consider({slices.duration(i), slices.id(i)});
    }
  });
  return walk.best();
}

std::optional<SliceId> next_slowest(const Trace& trace, std::span<const SliceId> slices, SliceId from, bool forward) {
  const bool known = std::ranges::binary_search(slices, from);
  SlowestWalk walk({known ? trace.duration_of(from) : 0, from}, known, forward);
  for (const SliceId slice : slices) {
    if (slice != from) walk.consider({trace.duration_of(slice), slice});
  }
  return walk.best();
}

}  // namespace tv
