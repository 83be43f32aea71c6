// What becomes of the view when there is more to see, and what is said of files that are followed.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/analysis/rollout/step_overview.h"
#include "core/session/workspace/workspace.h"
#include "core/view/timeline/minimap.h"

namespace tv {
namespace {

constexpr double kLeastFactor = 1.1;  // as for findings: less is nothing to interrupt anybody with
constexpr double kAtTheEnd = 0.02;  // of the view: so near to it, its edge is meant to be at the end

// The view ends where the data does.
bool shows_the_end(const Viewport& view, Ns end) {
  const auto at = static_cast<double>(end);
  return view.begin < at && view.end() > at - kAtTheEnd * view.span;
}

}  // namespace

// It stays where it is. One of everything goes on to show everything, and, of files that are followed, one of the end the end.
void Workspace::carry_view(const Trace& before) {
  const Ns moved = before.origin_ns - trace().origin_ns;
  if (fit_next_ || fitted_ || before.align != trace().align) {
    view_.jump(fit(whole(), reach()));
    fitted_ = true;
    fit_next_ = trace().slice_count == 0;
    if (history_.can_go_back()) return;
    history_.clear();
    visit();
    return;
  }
  const Ns end = shown_extent(before).end;
  const bool at_end = session_.following() && !split_ && shows_the_end(view_.target, end);
  const auto shifted = [&](Viewport view) {
    view.begin += static_cast<double>(moved);
    return clamp(view, reach());
  };
  view_.current = shifted(view_.current);
  view_.target = shifted(view_.target);
  if (!at_end) return;
  // Gliding there: one sees that time goes on.
  view_.target.begin += static_cast<double>(shown_extent(trace()).end - end - moved);
  view_.target = clamp(view_.target, reach());
}

// The first lane below the pinned ones, when it is not the first of all: lanes that come above it do not push it away.
std::optional<TopLane> Workspace::top_lane(const Trace& of) const {
  const LaneLayout& layout = upper_.layout;
  const double target = upper_.scroll_target;
  const auto top = layout.at(target);
  if (!top || target <= layout.pinned_height() || idx(top->lane) >= of.lanes.size()) return std::nullopt;
  return TopLane{lane_keys(of)[idx(top->lane)], target - layout.box_of(top->lane).y};
}

void Workspace::keep_top(const std::optional<TopLane>& top) {
  if (!top) return;
  const std::vector<std::string> keys = lane_keys(trace());
  const auto lane = id_at<LaneId>(static_cast<std::size_t>(std::ranges::find(keys, top->key) - keys.begin()));
  if (idx(lane) >= keys.size() || !upper_.layout.shows(lane)) return;
  const double moved = upper_.layout.box_of(lane).y + top->above - upper_.scroll_target;
  upper_.scroll_y += moved;
  upper_.scroll_target += moved;
}

void Workspace::follow_files() {
  session_.follow_up(now_s_, run_.busy() || session_.snapshot() != snapshot_);
  say(session_.take_trouble());
  // What is known of GPUs comes later than the trace.
  if (gap_ && run_.data().gpu && run_.data().trace == snapshot_->trace && gap_known_of_ != snapshot_->generation) {
    gap_known_of_ = snapshot_->generation;
    std::string place = std::move(gap_->place);
    gap_ = gap_details(*snapshot_, run_.data().gpu.get(), Gap(gap_->gap));
    gap_->place = std::move(place);
  }
  tell_new_outliers();
}

// Each step that stands out is said once. What was there when it began is not new.
void Workspace::tell_new_outliers() {
  const Rollout* const now = rollout();
  if (!now || !snapshot_->complete || steps_told_of_ == snapshot_->generation) return;
  steps_told_of_ = snapshot_->generation;
  const StepOverview overview = step_overview(*now);
  const bool first = steps_told_.empty();
  std::string said;
  std::size_t more = 0;
  for (std::size_t s = 0; s < overview.steps.size(); ++s) {
    const std::pair<std::string, std::int64_t> step{now->runs[static_cast<std::size_t>(now->steps[s].run)], now->steps[s].step};
    const auto& slow = overview.steps[s].slow_rollout;
    if ((!slow || slow->factor < kLeastFactor) && !first) continue;
    if (!steps_told_.insert(step).second || first) continue;
    more += said.empty() ? 0 : 1;
    said = fmt::format("step {} stands out: its rollout took {:.1f} times as long as usual{}", step.second, slow->factor,
                       slow->reason ? " (" + text_of(*now, *slow->reason) + ")" : std::string());
  }
  say(more > 0 ? fmt::format("{}; so do {} before it", said, more) : said);
}

void Workspace::on(const command::Follow& c) {
  const bool on = c.on.value_or(!session_.following());
  steps_told_.clear();
  steps_told_of_ = 0;
  session_.follow(on);
}

}  // namespace tv
