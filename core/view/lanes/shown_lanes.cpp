#include "core/view/lanes/shown_lanes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <unordered_map>

#include "core/base/text/count_text.h"
#include "core/query/lane_filter.h"
#include "core/view/lanes/known_lanes.h"

namespace tv {
namespace {

using Keys = std::vector<std::string>;
using LaneByKey = std::unordered_map<std::string_view, std::size_t>;

// Whether the state refers to any lane by key. If not, keys are not made, since they cost a string per lane.
bool names_lanes(const LaneState& state) {
  return !state.collapsed.empty() || !state.overview.empty() || !state.hidden.empty() || !state.only.empty() ||
         !state.pinned.empty() || !state.dragged.empty();
}

LaneByKey lanes_by_key(const Keys& keys) {
  LaneByKey by_key;
  by_key.reserve(keys.size());
  for (std::size_t l = 0; l < keys.size(); ++l) by_key.emplace(keys[l], l);
  return by_key;
}

// Whether a lane, or a group around it, is among the keys.
std::vector<bool> within_any(const Trace& trace, const Keys& keys, const std::set<std::string, std::less<>>& chosen) {
  std::vector<bool> within(trace.lanes.size(), false);
  for (std::size_t l = 0; l < within.size() && !chosen.empty(); ++l) {
    const LaneId around = trace.lanes[l].parent;
    within[l] = (around != kNone<LaneId> && within[idx(around)]) || chosen.contains(keys[l]);
  }
  return within;
}

enum class Kept : std::uint8_t {
  No,
  Around,  // a group around lanes that are kept
  Itself,
};

// Which lanes remain after hiding, isolating and filtering, and the groups around them. None remains if the filter is invalid.
std::vector<Kept> kept_lanes(const Trace& trace, const LaneState& state, const Keys& keys) {
  std::vector<Kept> kept(trace.lanes.size(), Kept::No);
  const auto chosen = chosen_lanes(trace, state.filter);
  if (!chosen) return kept;
  const std::vector<bool> hidden = within_any(trace, keys, state.hidden), only = within_any(trace, keys, state.only);
  const bool thinned = !state.hidden.empty() || !state.only.empty() || state.filter.find('!') != std::string::npos;
  const auto wanted = [&](std::size_t l) {
    return chosen.value().lanes[l] && !hidden[l] && (state.only.empty() || only[l]);
  };
  for (std::size_t l = 0; l < kept.size(); ++l) {
    // If lanes were taken out, a group stays only if one of its lanes does (below).
    if (wanted(l) && (!thinned || holds_anything(trace.lanes[l]))) kept[l] = Kept::Itself;
  }
  for (std::size_t l = trace.lanes.size(); l-- > 0;) {
    const LaneId around = trace.lanes[l].parent;
    if (kept[l] == Kept::No || around == kNone<LaneId>) continue;
    if (kept[idx(around)] == Kept::No) kept[idx(around)] = wanted(idx(around)) ? Kept::Itself : Kept::Around;
  }
  return kept;
}

class Listing {
 public:
  Listing(const Trace& trace, const LaneState& state)
      : trace_(trace),
        state_(state),
        keys_(names_lanes(state) ? lane_keys(trace) : Keys()),
        by_key_(lanes_by_key(keys_)),
        collapsed_(collapsed_lanes(trace, state, keys_)),
        kept_(kept_lanes(trace, state, keys_)),
        taken_(trace.lanes.size(), false) {
    for (std::size_t l = 0; l < kept_.size(); ++l) {
      if (kept_[l] == Kept::Around) collapsed_[l] = false;  // open, so that the lanes in it are seen
    }
  }

  ShownLanes list() {
    ShownLanes out;
    out.has_box.assign(trace_.lanes.size(), false);
    add_pinned(out);
    drop_emptied_groups();
    if (overview_is_shown(state_)) {
      add_overview(out);
    } else {
      add_tree(out, 0, trace_.lanes.size(), kNone<LaneId>, 0, false);
      for (std::size_t l = 0; l < kept_.size(); ++l) {
        if (kept_[l] != Kept::No) out.has_box[l] = true;
      }
    }
    return out;
  }

 private:
  // Pinned lanes are shown whatever the filter says.
  void add_pinned(ShownLanes& out) {
    const std::vector<bool> hidden = within_any(trace_, keys_, state_.hidden);
    for (const std::string& key : state_.pinned) {
      const auto found = by_key_.find(key);
      if (found == by_key_.end() || taken_[found->second] || hidden[found->second]) continue;
      const std::size_t first = found->second, end = idx(trace_.lanes[first].subtree_end);
      std::vector<Kept> before(kept_.begin() + static_cast<std::ptrdiff_t>(first),
                               kept_.begin() + static_cast<std::ptrdiff_t>(end));
      for (std::size_t l = first; l < end; ++l) kept_[l] = hidden[l] ? Kept::No : Kept::Itself;
      const std::size_t begin = out.lanes.size();
      add_tree(out, first, end, trace_.lanes[first].parent, 0, true);
      if (begin < out.lanes.size()) out.lanes[begin].whole_name = true;
      std::ranges::copy(before, kept_.begin() + static_cast<std::ptrdiff_t>(first));
      for (std::size_t l = first; l < end; ++l) {
        taken_[l] = true;
        out.has_box[l] = !hidden[l];
      }
    }
  }

  // Drops groups whose lanes are all pinned.
  void drop_emptied_groups() {
    if (state_.pinned.empty()) return;
    std::vector<bool> left(trace_.lanes.size(), false);
    for (std::size_t l = left.size(); l-- > 0;) {
      const LaneId around = trace_.lanes[l].parent;
      left[l] = left[l] || (kept_[l] != Kept::No && !taken_[l] && holds_anything(trace_.lanes[l]));
      if (left[l] && around != kNone<LaneId>) left[idx(around)] = true;
      if (!left[l] && !taken_[l]) kept_[l] = Kept::No;
    }
  }

  void add_overview(ShownLanes& out) {
    std::vector<std::size_t> lanes;
    std::unordered_map<std::size_t, const OverviewLane*> listed;
    for (const OverviewLane& each : state_.overview) {
      const auto found = by_key_.find(each.key);
      if (found == by_key_.end() || taken_[found->second] || kept_[found->second] == Kept::No) continue;
      lanes.push_back(found->second);
      listed.emplace(found->second, &each);
    }
    sort_overview(lanes);
    as_dragged(lanes, kOverviewOrder);
    for (const std::size_t l : lanes) {
      const OverviewLane& as = *listed.at(l);
      out.lanes.push_back({id_at<LaneId>(l), collapsed_[l], false, true, as.row, as.levels, as.first_slot, as.thin, true, 0});
      out.has_box[l] = true;
    }
  }

  // Sorts each run of lanes of the same kind separately, so that kinds stay together.
  void sort_overview(std::vector<std::size_t>& lanes) const {
    if (state_.weight.size() != trace_.lanes.size()) return;
    std::vector<double> weight(trace_.lanes.size(), std::nan(""));
    for (const std::size_t l : lanes) {
      for (LaneId at = id_at<LaneId>(l); at != kNone<LaneId> && std::isnan(weight[l]); at = trace_.lane(at).parent) {
        weight[l] = state_.weight[idx(at)];
      }
    }
    for (auto first = lanes.begin(); first != lanes.end();) {
      const LaneKind kind = trace_.lanes[*first].kind;
      const auto end = std::find_if(first, lanes.end(), [&](std::size_t l) { return trace_.lanes[l].kind != kind; });
      std::stable_sort(first, end, [&](std::size_t a, std::size_t b) { return heavier(weight, a, b); });
      first = end;
    }
  }

  // Adds each lane, followed by its children.
  void add_tree(ShownLanes& out, std::size_t first, std::size_t end, LaneId around, std::uint32_t indent, bool pinned) {
    std::vector<std::size_t> siblings;
    for (std::size_t l = first; l < end; l = idx(trace_.lanes[l].subtree_end)) {
      if (kept_[l] != Kept::No && !taken_[l]) siblings.push_back(l);
    }
    const auto before = [&](std::size_t a, std::size_t b) {
      if (heavier(state_.weight, a, b)) return true;
      return !heavier(state_.weight, b, a) && heavier(state_.first_order, a, b);
    };
    std::stable_sort(siblings.begin(), siblings.end(), before);
    if (!pinned && !state_.dragged.empty())
      as_dragged(siblings, around == kNone<LaneId> ? kTopLevel : std::string_view(keys_[idx(around)]));
    for (const std::size_t l : siblings) {
      out.lanes.push_back({id_at<LaneId>(l), collapsed_[l], pinned, false, 0, 0, 0, 0, false, indent});
      if (!collapsed_[l]) add_tree(out, l + 1, idx(trace_.lanes[l].subtree_end), id_at<LaneId>(l), indent + 1, pinned);
    }
  }

  bool heavier(const std::vector<double>& weight, std::size_t a, std::size_t b) const {
    if (weight.size() != trace_.lanes.size()) return false;
    return weight[a] > weight[b] || (std::isnan(weight[b]) && !std::isnan(weight[a]));
  }

  // Lanes that did not exist when the user dragged come after those that did.
  void as_dragged(std::vector<std::size_t>& lanes, std::string_view around) const {
    const auto order = state_.dragged.find(around);
    if (order == state_.dragged.end()) return;
    std::unordered_map<std::string_view, std::size_t> place;
    for (const std::string& key : order->second) place.emplace(key, place.size());
    const auto place_of = [&](std::size_t l) {
      const auto found = place.find(keys_[l]);
      return found == place.end() ? place.size() : found->second;
    };
    std::stable_sort(lanes.begin(), lanes.end(),
                     [&](std::size_t a, std::size_t b) { return place_of(a) < place_of(b); });
  }

  const Trace& trace_;
  const LaneState& state_;
  Keys keys_;
  LaneByKey by_key_;
  std::vector<bool> collapsed_;
  std::vector<Kept> kept_;
  std::vector<bool> taken_;  // pinned, or within a pinned group
};

}  // namespace

bool overview_is_shown(const LaneState& state) {
  return !state.overview.empty() && state.filter.empty() && state.only.empty();
}

std::vector<bool> collapsed_lanes(const Trace& trace, const LaneState& state, const std::vector<std::string>& keys) {
  std::vector<bool> collapsed = default_collapsed(trace);
  if (keys.empty()) return collapsed;
  if (overview_is_shown(state)) {
    const LaneByKey by_key = lanes_by_key(keys);
    for (const OverviewLane& each : state.overview) {
      const auto found = by_key.find(each.key);
      if (found != by_key.end()) collapsed[found->second] = each.collapsed;
    }
  }
  if (state.collapsed.empty()) return collapsed;
  for (std::size_t l = 0; l < trace.lanes.size(); ++l) {
    const auto chosen = state.collapsed.find(keys[l]);
    if (chosen != state.collapsed.end()) collapsed[l] = chosen->second;
  }
  return collapsed;
}

ShownLanes shown_lanes(const Trace& trace, const LaneState& state) { return Listing(trace, state).list(); }

LaneCounts count_lanes(const Trace& trace, const LaneState& state) {
  LaneCounts counts;
  const bool overview = overview_is_shown(state);
  const bool thinned = !state.hidden.empty() || !state.only.empty() || overview;
  const Keys keys = thinned ? lane_keys(trace) : Keys();
  const std::vector<bool> hidden = within_any(trace, keys, state.hidden), only = within_any(trace, keys, state.only);
  std::set<std::string_view> listed;
  for (const OverviewLane& each : state.overview) listed.insert(each.key);
  for (std::size_t l = 0; l < trace.lanes.size(); ++l) {
    if (!holds_anything(trace.lanes[l])) continue;
    ++counts.lanes;
    if (!thinned) continue;
    if (hidden[l] || (!state.only.empty() && !only[l])) {
      ++counts.hidden;
    } else if (overview && !listed.contains(keys[l])) {
      ++counts.left_out;
    }
  }
  return counts;
}

std::string text(const LaneCounts& counts) {
  std::string out;
  if (counts.left_out > 0) {
    out = fmt::format("{} of {} lanes", format_count(counts.lanes - counts.hidden - counts.left_out),
                      format_count(counts.lanes));
  }
  if (counts.hidden > 0) {
    out += fmt::format("{}{} hidden", out.empty() ? "" : ", ", format_count(counts.hidden));
  }
  return out;
}

void toggle_lane(const Trace& trace, LaneId lane, LaneState& state) {
  const Keys keys = lane_keys(trace);
  const bool now = collapsed_lanes(trace, state, keys)[idx(lane)];
  state.collapsed.insert_or_assign(keys[idx(lane)], !now);
}

void set_all_collapsed(const Trace& trace, bool collapsed, LaneState& state) {
  state.overview.clear();
  for (const std::string& key : lane_keys(trace)) state.collapsed.insert_or_assign(key, collapsed);
}

void reveal_lane(const Trace& trace, LaneId lane, LaneState& state) {
  const Keys keys = lane_keys(trace);
  const auto kept = [&] { return kept_lanes(trace, state, keys)[idx(lane)] != Kept::No; };
  for (LaneId at = lane; at != kNone<LaneId>; at = trace.lane(at).parent) state.hidden.erase(keys[idx(at)]);
  if (!state.only.empty() && !within_any(trace, keys, state.only)[idx(lane)]) state.only.insert(keys[idx(lane)]);
  if (!kept()) state.filter.clear();
  if (!kept()) {  // a group whose lanes were all hidden one by one
    for (std::size_t l = idx(lane); l < idx(trace.lane(lane).subtree_end); ++l) state.hidden.erase(keys[l]);
  }
  const std::vector<bool> collapsed = collapsed_lanes(trace, state, keys);
  if (!overview_is_shown(state)) {
    for (LaneId at = lane; at != kNone<LaneId>; at = trace.lane(at).parent) {
      if (collapsed[idx(at)]) state.collapsed.insert_or_assign(keys[idx(at)], false);
    }
    return;
  }
  const std::string& key = keys[idx(lane)];
  if (std::ranges::find(state.overview, key, &OverviewLane::key) == state.overview.end()) {
    // The lane goes after the last one of the same process or rank.
    const std::string_view root = std::string_view(key).substr(0, key.find('\x1f'));
    const auto same = std::find_if(state.overview.rbegin(), state.overview.rend(), [&](const OverviewLane& each) {
      return std::string_view(each.key).substr(0, each.key.find('\x1f')) == root;
    });
    state.overview.insert(same.base() == state.overview.begin() ? state.overview.end() : same.base(), {key, false});
  }
  if (collapsed[idx(lane)]) state.collapsed.insert_or_assign(key, false);
}

}  // namespace tv
