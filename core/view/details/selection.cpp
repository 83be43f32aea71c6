#include "core/view/details/selection.h"

#include <algorithm>

#include "core/query/carry_time.h"

namespace tv {

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

void Selection::add(const Snapshot& snapshot, SliceId id) {
  stretch.reset();
  const auto again = std::ranges::find(also, id);
  if (again != also.end()) {
    also_keys.erase(also_keys.begin() + (again - also.begin()));
    also.erase(again);
    return;
  }
  if (id == slice && also.empty()) return clear_slices();
  if (!has_slice()) return select(snapshot, id);
  if (id == slice) {  // the next one takes its place
    slice = also.front();
    key = also_keys.front();
    also.erase(also.begin());
    also_keys.erase(also_keys.begin());
    return;
  }
  also.push_back(id);
  also_keys.push_back(key_of(*snapshot.trace, id));
  same_name = kNone<LabelId>;
}

void Selection::add_others(const Snapshot& snapshot, const std::vector<SliceId>& ids) {
  stretch.reset();
  for (const SliceId id : ids) {
    if (!has_slice()) {
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

void Selection::carry_over(const Snapshot& from, const Snapshot& to) {
  slice = key ? find_slice(*to.trace, *key).value_or(kNone<SliceId>) : kNone<SliceId>;
  // Not in this snapshot does not mean gone: a trace that is being read again may bring it back, so the key
  // is kept.
  hovered = kNone<SliceId>;
  also.clear();
  for (const SliceKey& other : also_keys) also.push_back(find_slice(*to.trace, other).value_or(kNone<SliceId>));
  std::erase(also, kNone<SliceId>);
  if (also.size() != also_keys.size()) also.clear(), also_keys.clear();
  same_name = kNone<LabelId>;
  stretch.reset();
  gap.reset();
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
  if (!lanes.empty() && !same_lanes()) lanes.clear();
  generation = to.generation;
  origin_ns = to.trace->origin_ns;
}

}  // namespace tv
