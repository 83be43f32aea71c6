#include "core/session/workspace/workspace.h"

#include <algorithm>
#include <cmath>

#include "core/base/text/path_parts.h"
#include "core/io/tables/mapped_file.h"
#include "core/query/carry_time.h"
#include "core/view/charts/gpu/charts_gpu.h"
#include "core/view/lanes/lane_order.h"

namespace tv {
namespace {

constexpr double kSeen_px = 24;  // least width of a slice that was jumped to

// The message if a read of a mapped packed trace has failed.
std::string words_of_cut(const std::string& path) {
  return std::string(last_part(path)) + " was truncated while open, or its disk failed: the lost part is shown as empty";
}

}  // namespace

Workspace::Workspace(ThreadPool& pool, std::function<void()> wake, LoadOptions options, std::shared_ptr<Settings> settings)
    : pool_(pool),
      settings_(std::move(settings)),
      session_(pool, wake, options),
      run_(pool, wake),
      sums_(pool, wake),
      coloring_(pool, wake),
      search_(pool, wake),
      slice_filter_(pool, wake),
      waiting_(pool, std::move(wake)),
      snapshot_(session_.snapshot()),
      asked_(std::move(options)) {
  adopt(snapshot_);
}

void Workspace::begin_frame(double dt_s, double now_s, const TimelineGeometry& geometry) {
  now_s_ = now_s;
  follow_settings();
  for (const std::string& path : take_cut_files()) say(words_of_cut(path));
  session_.give_up_damaged();
  state_.pointer.next_frame();
  const bool resized = geometry != state_.halves.geometry;
  state_.halves.geometry = geometry;
  const bool running = session_.status().running();  // asked first: then the snapshot below is at least as new
  auto newest = session_.snapshot();
  if (before_ && go_back_if_empty(*newest, running)) newest = session_.snapshot();
  if (newest != snapshot_ && !(before_ && newest->trace->lanes.empty())) adopt(std::move(newest));
  if (resized) {
    if (state_.lanes.untouched) arrange_lanes();
    relayout();
  }
  follow_search();
  run_.follow(snapshot_, state_.selection);
  follow_answers();
  follow_culprit();
  follow_panels();
  look_for_waits();
  explain_gap();
  follow_time_style();
  sums_.ask(snapshot_->trace, state_.selection.same_name, state_.selection.stretch);
  coloring_.follow(snapshot_->trace, results().rollout ? run_.data().rollout : nullptr, settings_->shown_theme(),
                   run_.question().settings.text(kCommunicationRules));
  if (aligning_) align_clocks();
  if (state_.views.wanted) show_wanted();
  if (session_.following()) follow_files();
  const Rollout* const rollout = run_.rollout();
  const bool orderable = state_.lanes.order && rollout && rollout->trace == snapshot_->trace;
  if (orderable && state_.lanes.ordered_for != run_.question().step) order_lanes();
  if (settings_->reduced_motion) jump_to_targets();
  state_.motion.view.step(dt_s, state_.halves.geometry.width_px);
  const auto still_fits = [&](SplitHalf half) { return !has(half) || of(half).layout.holds_at(row_room(half).ns_per_px); };
  if (!still_fits(SplitHalf::Upper) || !still_fits(SplitHalf::Lower)) resize_rows();
  for (const SplitHalf half : kHalves) glide(half, dt_s);
  follow_split();
}

// A new snapshot replaces the old one: the selection and the view stay, as far as they still exist.
void Workspace::adopt(std::shared_ptr<const Snapshot> snapshot) {
  const std::shared_ptr<const Snapshot> before = std::exchange(snapshot_, std::move(snapshot));
  const auto top = session_.following() ? top_lane(*before->trace) : std::nullopt;
  state_.selection.carry_over(*before, *snapshot_, session_.following());
  const auto carried = [&](Ns t) { return carried_time(*before->trace, trace(), t); };
  state_.notes.list.carry(carried);
  for (auto& view : state_.views.stored) {
    if (!view) continue;
    view->view.begin = static_cast<double>(carried(static_cast<Ns>(view->view.begin)));
    if (view->split) view->split->split.at = {carried(view->split->split.at[0]), carried(view->split->split.at[1])};
  }
  state_.selected.walked.reset();
  state_.pointer.place.reset();
  state_.selected.gap.reset();
  state_.pointer.gap.reset();
  runs_in_view_ = tv::runs_in_view(trace());
  color_anew();
  state_.lanes.state.weight.clear();  // the weights are of the old lanes
  state_.lanes.ordered_for.reset();
  arrange_lanes();
  carry_split(carried);
  relayout();
  keep_top(top);
  update_differences();
  if (state_.selection.gap) describe_gap(*state_.selection.gap);
  if (!search_.asked().text.empty()) ask_search(search_.asked());
  // If files gave no data, or more than fits into memory, the report says why.
  const bool nothing = trace().lanes.empty() && !trace().sources.empty();
  if (snapshot_->complete && (nothing || session_.too_large())) {
    state_.panels.point_at("problems");
  }
  carry_view(*before->trace);
}

// Waits for the complete load: offsets from a part would be less accurate, and each alignment reads everything again.
void Workspace::align_clocks() {
  const LoadStatus status = session_.status();
  if (status.running() || session_.snapshot() != snapshot_ || run_.pending()) return;
  aligning_ = false;
  if (status.stage == LoadStatus::Stage::Cancelled || !run_.rollout()) return;
  session_.read_with(&ReadSettings::clocks, aligned(trace(), run_.clocks(), session_.read().clocks));
}

// Lanes are ordered by the current step, so another step gives another order.
void Workspace::order_lanes() {
  const Rollout* const rollout = run_.rollout();
  const bool known = state_.lanes.order && rollout && rollout->trace == snapshot_->trace && run_.question().step;
  state_.lanes.ordered_for = known ? run_.question().step : std::nullopt;
  state_.lanes.state.weight = known ? worker_lane_weights(*rollout, *state_.lanes.order, *state_.lanes.ordered_for) : std::vector<double>();
  relayout();
}

void Workspace::select(SliceId slice, bool reveal_it) {
  if (slice == kNone<SliceId> || idx(slice) >= trace().items()) return;
  state_.selection.select(*snapshot_, slice);
  state_.selected.details = slice_details(trace(), slice);
  state_.selected.gap.reset();
  state_.selected.differences.clear();
  if (reveal_it) reveal(slice, kSeen_px);
}

void Workspace::select_request(RequestIx request, bool fit_it) {
  const Rollout* const rollout = run_.rollout();
  if (!rollout || rollout->trace != snapshot_->trace || request >= rollout->size()) return;
  run_.look_at_request(request);
  const SliceId slice = rollout->slice[request];
  if (slice == kNone<SliceId>) return;
  select(slice, !fit_it);
  if (fit_it) fit_slice(slice);
}

// A waiting command acts as if it were issued now.
void Workspace::follow_answers() {
  say(waiting_.follow(now_s_));
  if (const auto next = waiting_.next(search_.pending())) apply(*next);
}

void Workspace::apply(const Command& any) {
  using namespace command;
  any.visit([&]<class Kind>(const Kind& c) {
    if (search_.pending() && (kInTurn<Kind> || any.is<NextHit>())) return waiting_.enqueue(any);
    if (waiting_.counting()) {
      if (kInTurn<Kind>) return waiting_.enqueue(any);
      if (any.is<ClearSelection>()) return waiting_.stop();
    }
    if (kArranges<Kind>) state_.lanes.untouched = false;
    on(c);
  });
}

}  // namespace tv
