#include "core/view/selection.h"

#include "core/query/carry_time.h"

namespace tv {

void Selection::select(const Snapshot& snapshot, SliceId id) {
  slice = id;
  key = id == kNone<SliceId> ? std::nullopt : std::optional(key_of(*snapshot.trace, id));
  generation = snapshot.generation;
  origin_ns = snapshot.trace->origin_ns;
}

void Selection::clear() { *this = {}; }

void Selection::carry_over(const Snapshot& from, const Snapshot& to) {
  slice = key ? find_slice(*to.trace, *key).value_or(kNone<SliceId>) : kNone<SliceId>;
  // Not in this snapshot does not mean gone: a trace that is being read again may bring it back, so the key
  // is kept.
  hovered = kNone<SliceId>;
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
