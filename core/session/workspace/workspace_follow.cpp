// How the view reacts to new data, and the messages about followed files.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/session/workspace/workspace.h"
#include "core/view/timeline/minimap.h"

namespace tv {
namespace {

constexpr double kAtTheEnd = 0.02;  // of the view: an edge this close to the end of the data counts as being there

// Whether the view ends where the data ends.
bool shows_the_end(const Viewport& view, Ns end) {
  const auto at = static_cast<double>(end);
  return view.begin < at && view.end() > at - kAtTheEnd * view.span;
}

}  // namespace

// The view stays where it is. If it shows everything, it keeps doing so; with followed files, a view of the end stays at the end.
void Workspace::carry_view(const Trace& before) {
  const Ns moved = before.origin_ns - trace().origin_ns;
  if (state_.motion.fit_next || state_.motion.fitted || before.align != trace().align) {
    state_.motion.view.jump(fit(whole(), reach()));
    state_.motion.fitted = true;
    state_.motion.fit_next = trace().slice_count == 0;
    if (state_.motion.history.can_go_back()) return;
    state_.motion.history.clear();
    visit();
    return;
  }
  const Ns end = shown_extent(before).end;
  const bool at_end = session_.following() && !state_.halves.split && shows_the_end(state_.motion.view.target, end);
  const auto shifted = [&](Viewport view) {
    view.begin += static_cast<double>(moved);
    return clamp(view, reach());
  };
  state_.motion.view.current = shifted(state_.motion.view.current);
  state_.motion.view.target = shifted(state_.motion.view.target);
  if (!at_end) return;
  // Glides there, so that the user sees time advance.
  state_.motion.view.target.begin += static_cast<double>(shown_extent(trace()).end - end - moved);
  state_.motion.view.target = clamp(state_.motion.view.target, reach());
}

// The top visible lane below the pinned ones, so that lanes inserted above do not move it; nullopt at the very top.
std::optional<TopLane> Workspace::top_lane(const Trace& of) const {
  const LaneLayout& layout = state_.halves.upper.layout;
  const double target = state_.halves.upper.scroll_target;
  const auto top = layout.at(target);
  if (!top || target <= layout.pinned_height() || idx(top->lane) >= of.lanes.size()) return std::nullopt;
  return TopLane{lane_keys(of)[idx(top->lane)], target - layout.box_of(top->lane).y};
}

void Workspace::keep_top(const std::optional<TopLane>& top) {
  if (!top) return;
  const std::vector<std::string> keys = lane_keys(trace());
  const auto lane = id_at<LaneId>(static_cast<std::size_t>(std::ranges::find(keys, top->key) - keys.begin()));
  if (idx(lane) >= keys.size() || !state_.halves.upper.layout.shows(lane)) return;
  const double moved = state_.halves.upper.layout.box_of(lane).y + top->above - state_.halves.upper.scroll_target;
  state_.halves.upper.scroll_y += moved;
  state_.halves.upper.scroll_target += moved;
}

void Workspace::follow_files() {
  session_.follow_up(now_s_, run_.busy() || session_.snapshot() != snapshot_);
  say(session_.take_trouble());
  const Rollout* const now = results().rollout;
  if (now && snapshot_->complete) say(news_.of(*now, snapshot_->generation));
}

void Workspace::on(const command::Follow& c) {
  const bool on = c.on.value_or(!session_.following());
  news_ = {};
  session_.follow(on);
}

}  // namespace tv
