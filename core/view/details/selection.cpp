#include "core/view/details/selection.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "core/query/carry_time.h"
#include "core/view/lanes/lane_layout.h"

namespace tv {
namespace {

std::optional<SliceId> carried_slice(const Trace& from, const Trace& to, SliceId slice) { return find_slice(to, key_of(from, slice)); }

std::optional<SliceStretch> carried_stretch(const Trace& from, const Trace& to, const std::optional<SliceStretch>& stretch) {
  if (!stretch) return std::nullopt;
  const auto first = carried_slice(from, to, stretch->first), last = carried_slice(from, to, stretch->last);
  return first && last ? stretch_between(to, *first, *last) : std::nullopt;
}

// Removes the key of an additionally selected slice from `keys` and returns it.
SliceKey take_key(const Trace& trace, SliceId slice, std::vector<SliceKey>& keys) {
  const auto at = std::ranges::find_if(keys, [&](const SliceKey& key) { return is_of_key(trace, slice, key); });
  SliceKey key = std::move(*at);
  keys.erase(at);
  return key;
}

// Finds the gap between the same two slices in the new trace.
std::optional<Gap> carried_gap(const Trace& from, const Trace& to, const std::optional<Gap>& gap) {
  if (!gap) return std::nullopt;
  const auto before = carried_slice(from, to, gap->before), after = carried_slice(from, to, gap->after);
  if (!before || !after) return std::nullopt;
  const RowId row = to.row_of(*before);
  const Ns middle = to.end_of(*before) + gap->time.length() / 2;
  const auto now = gap->row == kNone<RowId> ? gap_at(to, to.row(row).lane, middle) : gap_at(to, row, middle);
  return now && now->before == *before && now->after == *after ? now : std::nullopt;
}

// Finds the lanes in the new trace. If one is gone, returns an empty list, which means all lanes.
std::vector<LaneId> carried_lanes(const Trace& from, const Trace& to, const std::vector<LaneId>& lanes) {
  const std::vector<std::string> old_keys = lane_keys(from), new_keys = lane_keys(to);
  std::unordered_map<std::string_view, LaneId> places;
  for (std::size_t l = 0; l < new_keys.size(); ++l) places.emplace(new_keys[l], id_at<LaneId>(l));
  std::vector<LaneId> carried;
  for (const LaneId lane : lanes) {
    const auto place = places.find(old_keys[idx(lane)]);
    if (place == places.end()) return {};
    carried.push_back(place->second);
  }
  return carried;
}

}  // namespace

void Selection::select(const Snapshot& snapshot, SliceId id) {
  slice = id;
  key = id == kNone<SliceId> ? std::nullopt : std::optional(key_of(*snapshot.trace, id));
  generation = snapshot.generation;
  origin_ns = snapshot.trace->origin_ns;
  also.clear();
  also_keys.clear();
  same_name = kNone<LabelId>;
  stretch.reset();
  gap.reset();
  text.reset();
}

void Selection::promote_next(const Snapshot& snapshot) {
  slice = also.front();
  key = take_key(*snapshot.trace, slice, also_keys);
  also.erase(also.begin());
}

bool Selection::lacks_first(const Snapshot& snapshot) {
  if (!has_slice() && !also.empty()) {  // this snapshot lacks the selected slice, but has others
    if (key) also_keys.push_back(*std::exchange(key, {}));
    promote_next(snapshot);
  }
  return !has_slice();
}

void Selection::add(const Snapshot& snapshot, SliceId id) {
  stretch.reset();
  const auto again = std::ranges::find(also, id);
  if (again != also.end()) {
    take_key(*snapshot.trace, id, also_keys);
    also.erase(again);
    return;
  }
  if (id == slice && also.empty()) return clear_slices();
  if (id == slice) return promote_next(snapshot);
  if (lacks_first(snapshot)) return select(snapshot, id);
  also.push_back(id);
  also_keys.push_back(key_of(*snapshot.trace, id));
  same_name = kNone<LabelId>;
}

void Selection::add_others(const Snapshot& snapshot, const std::vector<SliceId>& ids) {
  stretch.reset();
  for (const SliceId id : ids) {
    if (lacks_first(snapshot)) {
      select(snapshot, id);
      continue;
    }
    also.push_back(id);
    also_keys.push_back(key_of(*snapshot.trace, id));
    same_name = kNone<LabelId>;
  }
}

void Selection::select_stretch(const SliceStretch& chosen) {
  also.clear();
  also_keys.clear();
  same_name = kNone<LabelId>;
  stretch = chosen;
}

void Selection::select_gap(const Snapshot& snapshot, const Gap& chosen) {
  clear_slices();
  gap = chosen;
  generation = snapshot.generation;
}

void Selection::select_text(const Snapshot& snapshot, const TextPlace& chosen) {
  clear_slices();
  text = chosen;
  generation = snapshot.generation;
}

void Selection::clear_slices() {
  slice = kNone<SliceId>;
  key.reset();
  also.clear();
  also_keys.clear();
  same_name = kNone<LabelId>;
  stretch.reset();
  gap.reset();
  text.reset();
}

void Selection::clear() { *this = {}; }

void Selection::carry_over(const Snapshot& from, const Snapshot& to, bool grown) {
  const bool of_from = generation == from.generation;  // else members without a key are from another snapshot
  const LabelId named = of_from && same_name != kNone<LabelId> ? same_label(*from.trace, same_name, *to.trace) : kNone<LabelId>;
  const auto through = of_from ? carried_stretch(*from.trace, *to.trace, stretch) : std::nullopt;
  const auto between = of_from ? carried_gap(*from.trace, *to.trace, gap) : std::nullopt;
  // Keys of slices that this snapshot lacks are kept: a trace that is being reloaded may bring the slices back.
  slice = key ? find_slice(*to.trace, *key).value_or(kNone<SliceId>) : kNone<SliceId>;
  hovered = kNone<SliceId>;
  also.clear();
  for (const SliceKey& other : also_keys) {
    if (const auto found = find_slice(*to.trace, other)) also.push_back(*found);
  }
  same_name = named;
  stretch = through;
  gap = between;
  text.reset();
  if (range) {
    const Ns begin = carried_time(*from.trace, *to.trace, range->begin);
    range = TimeRange{begin, begin + range->length()};
  }
  const auto same_lanes = [&] {
    if (from.trace->lanes.size() != to.trace->lanes.size()) return false;
    for (std::size_t l = 0; l < to.trace->lanes.size(); ++l) {
      const Lane &a = from.trace->lanes[l], &b = to.trace->lanes[l];
      if (a.name != b.name || a.parent != b.parent) return false;
    }
    return true;
  };
  if (!lanes.empty() && !same_lanes()) lanes = grown ? carried_lanes(*from.trace, *to.trace, lanes) : std::vector<LaneId>();
  generation = to.generation;
  origin_ns = to.trace->origin_ns;
}

}  // namespace tv
