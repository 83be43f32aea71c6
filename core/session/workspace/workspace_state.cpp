// Converts the shown state to a value, and restores it for the same or similar files.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/query/row_search.h"
#include "core/session/persistence/skipped_parts.h"
#include "core/session/workspace/workspace.h"
#include "core/view/charts/chart_kinds.h"
#include "core/view/keys/keymap.h"
#include "core/view/lanes/row_heights.h"
#include "core/view/timeline/minimap.h"

namespace tv {
namespace {

using LaneOfKey = std::map<std::string_view, LaneId, std::less<>>;

// Describes slices independently of their ids, and finds them again in the same or similar files.
class Wording {
 public:
  explicit Wording(const Trace& trace) : trace_(trace), keys_(lane_keys(trace)) {
    for (std::size_t l = 0; l < keys_.size(); ++l) lane_of_.emplace(keys_[l], id_at<LaneId>(l));
  }

  const std::string& key(LaneId lane) const { return keys_[idx(lane)]; }
  LaneId lane(std::string_view key) const {
    const auto at = lane_of_.find(key);
    return at == lane_of_.end() ? kNone<LaneId> : at->second;
  }
  std::uint32_t row_of_lane(RowId row) const {
    return static_cast<std::uint32_t>(idx(row)) - trace_.lane(trace_.row(row).lane).first_row;
  }

  SliceRef words(SliceId slice) const {
    const RowId row = trace_.row_of(slice);
    const RowSlices slices = trace_.slices_of(trace_.row(row));
    const std::size_t at = slices.position_of(slice);
    SliceRef out{key(trace_.row(row).lane), row_of_lane(row), slices.begin(at), slices.duration(at),
                   std::string(trace_.labels.name(slices.label(at))), 0};
    for (std::size_t i = at; i > 0 && slices.begin(i - 1) == out.begin; --i) out.nth += same(slices, i - 1, out, 0);
    return out;
  }
  SliceId find(const SliceRef& words, Ns moved) const {
    const LaneId lane = this->lane(words.lane);
    if (lane == kNone<LaneId>) return kNone<SliceId>;
    const std::span<const Row> rows = trace_.rows_of(trace_.lane(lane));
    // Try the original row first: overlapping slices may be assigned to other rows now.
    if (words.row < rows.size()) {
      if (const SliceId found = find_in(rows[words.row], words, moved); found != kNone<SliceId>) return found;
    }
    for (const Row& row : rows) {
      if (const SliceId found = find_in(row, words, moved); found != kNone<SliceId>) return found;
    }
    return kNone<SliceId>;
  }

 private:
  bool same(const RowSlices& slices, std::size_t i, const SliceRef& words, Ns moved) const {
    return slices.begin(i) == words.begin + moved && slices.duration(i) == words.duration &&
           trace_.labels.name(slices.label(i)) == words.name;
  }
  SliceId find_in(const Row& row, const SliceRef& words, Ns moved) const {
    const RowSlices slices = trace_.slices_of(row);
    std::uint32_t before = 0;
    for (std::size_t i = first_beginning_at(slices, words.begin + moved); i < slices.size(); ++i) {
      if (slices.begin(i) != words.begin + moved) break;
      if (same(slices, i, words, moved) && before++ == words.nth) return slices.id(i);
    }
    return kNone<SliceId>;
  }

  const Trace& trace_;
  std::vector<std::string> keys_;
  LaneOfKey lane_of_;
};

// How far a lane is scrolled out at the top, in whole pixels: a height in float does not round-trip exactly.
double whole_px(double px) { return std::max(0.0, std::floor(px + 1e-6)); }

template <class SelectedGap>
SavedSelection selected_words(const Wording& wording, const Trace& trace, const Selection& selection, const SelectedGap& gap) {
  SavedSelection out;
  if (selection.has_slice()) out.slice = wording.words(selection.slice);
  for (const SliceId slice : selection.also) out.also.push_back(wording.words(slice));
  if (const auto& stretch = selection.stretch)
    out.through = wording.words(stretch->first == selection.slice ? stretch->last : stretch->first);
  if (gap) {
    out.gap = GapRef{wording.key(gap->gap.lane), {}, wording.words(gap->gap.before), wording.words(gap->gap.after)};
    if (gap->gap.row != kNone<RowId>) out.gap->row = wording.row_of_lane(gap->gap.row);
  }
  if (selection.same_name != kNone<LabelId>) out.same_name = trace.labels.name(selection.same_name);
  out.area = selection.range;
  for (const LaneId lane : selection.lanes) out.area_lanes.push_back(wording.key(lane));
  out.area_chart = selection.made_in;
  return out;
}

LabelId label_named(const Trace& trace, std::string_view name) {
  for (std::size_t l = 0; l < trace.labels.size(); ++l) {
    if (trace.labels.name(id_at<LabelId>(l)) == name) return id_at<LabelId>(l);
  }
  return kNone<LabelId>;
}

}  // namespace

// ---- out

ShownLook Workspace::shown_look() const {
  ShownLook look;
  look.everything = state_.motion.fitted && state_.motion.view.target == fit(whole(), reach());
  look.view = state_.motion.view.target;
  const auto top_of = [&](SplitHalf half, std::string& lane, double& px) {
    const LaneLayout& layout = of(half).layout;
    const double y = clamped_scroll(of(half).scroll_target, half);
    const auto top = layout.at(y);
    if (!top || y <= layout.pinned_height()) return;
    lane = lane_keys(trace())[idx(top->lane)];
    px = whole_px(y - layout.box_of(top->lane).y);
  };
  top_of(SplitHalf::Upper, look.top_lane, look.top_px);
  if (state_.halves.split) {
    look.split = SplitLook{*state_.halves.split, {}, 0};
    top_of(SplitHalf::Lower, look.split->top_lane, look.split->top_px);
  }
  look.arranged = !state_.lanes.untouched;
  if (look.arranged) {
    look.lanes = state_.lanes;
    look.lanes.state.weight.clear();
    look.lanes.state.first_order.clear();
    look.lanes.state.row_scale = 1;
  }
  look.filters = run_.chips();
  look.color = coloring_.chosen();
  look.times = state_.times.format();
  look.panels = state_.panels.layout();
  if (!state_.panels.chosen()) look.panels.left.clear();
  return look;
}

ShownState Workspace::shown_state() const {
  if (state_.views.wanted) return *state_.views.wanted;
  ShownState out;
  out.origin_ns = trace().origin_ns;
  out.read = session_.read();
  out.look = shown_look();
  out.selected = selected_words(Wording(trace()), trace(), state_.selection, state_.selected.gap);
  out.brush.chart = run_.brushed_chart();
  out.brush.requests = run_.brush();
  if (const auto& brush = run_.slice_brush(); brush && run_.data().trace) {
    out.brush.name = run_.data().trace->labels.name(brush->label);
    out.brush.least = brush->least;
    out.brush.most = brush->most;
  }
  const ChartQuestion& question = run_.question();
  out.charts.assign(question.settings.values().begin(), question.settings.values().end());
  out.as_script = question.as_script;
  if (const Rollout* rollout = run_.rollout(); rollout && question.step) {
    const RolloutStep& step = rollout->steps[*question.step];
    out.step = step.step;
    out.run = rollout->runs[static_cast<std::size_t>(step.run)];
  }
  out.training_step = question.training_step;
  out.notes = state_.notes.all();
  out.stored = state_.views.stored;
  out.tables = state_.tables.all();
  return out;
}

// ---- in

void Workspace::show(ShownState state, bool read_again) {
  if (read_again) session_.read_as(state.read);
  state_.views.wanted = std::move(state);
  state_.views.wanted_file.clear();
  show_wanted();
}

// Waits for the complete load: a part would have other lanes and steps.
void Workspace::show_wanted() {
  if (before_ || aligning_ || !session_.anything_open() || session_.status().running() || session_.snapshot() != snapshot_) return;
  run_.follow(snapshot_, state_.selection);
  if (run_.pending()) return;
  const ShownState state = std::move(*state_.views.wanted);
  state_.views.wanted.reset();
  const std::string file = std::exchange(state_.views.wanted_file, {});
  if (!file.empty()) state_.views.file = file;
  if (trace().lanes.empty()) return;
  const Ns moved = state.origin_ns - trace().origin_ns;
  SkippedParts skipped;
  std::vector<Note> notes = state.notes;
  for (Note& note : notes) {
    note.time.begin += moved;
    note.time.end += moved;
  }
  state_.notes.list.replace(std::move(notes));
  state_.notes.saved_version = state_.notes.list.version();
  state_.notes.naming.reset();
  state_.views.stored = state.stored;
  for (auto& view : state_.views.stored) {
    if (!view) continue;
    view->view.begin += static_cast<double>(moved);
    if (view->split) view->split->split.at = {view->split->split.at[0] + moved, view->split->split.at[1] + moved};
  }
  if (!state.tables.empty()) state_.tables.replace(state.tables);
  show_charts(state, moved, skipped);
  show_look(state.look, moved, false, skipped);
  show_selection(state.selected, moved, skipped);
  // Apply the selection now, before the next frame, so that the stored step overrides it.
  run_.follow(snapshot_, state_.selection);
  const Rollout* const rollout = run_.rollout();
  for (std::uint32_t s = 0; rollout && state.step && s < rollout->steps.size(); ++s) {
    const RolloutStep& step = rollout->steps[s];
    const bool same_run = rollout->runs[static_cast<std::size_t>(step.run)] == state.run || rollout->runs.size() == 1;
    if (step.step == *state.step && same_run && run_.question().step != s) run_.look_at_step(s);
  }
  if (state.training_step) run_.look_at_training_step(*state.training_step);
  state_.motion.history.clear();
  visit();
  state_.motion.fit_next = false;
  if (!skipped.text().empty()) notice_ += (notice_.empty() ? "" : "; ") + skipped.text();
}

void Workspace::show_look(const ShownLook& look, Ns moved, bool glide, SkippedParts& skipped) {
  state_.halves.split.reset();
  if (look.split) {
    state_.halves.split = look.split->split;
    if (state_.halves.split->by != SplitBy::Recorded) {
      state_.halves.split->at = {state_.halves.split->at[0] + moved, state_.halves.split->at[1] + moved};
    }
    leave_out_gone_lanes(*state_.halves.split, trace());
    if (state_.halves.geometry.lower_px == 0) {  // geometry as the next frame will set it
      state_.halves.geometry.lower_px = state_.halves.geometry.height_px * (1 - state_.halves.split->share);
      state_.halves.geometry.height_px *= state_.halves.split->share;
    }
  }
  state_.pointer.half = SplitHalf::Upper;
  show_lanes(look, skipped);
  const auto moved_px = static_cast<double>(moved);
  const Viewport view = look.everything ? fit(whole(), reach())
                                        : clamp({look.view.begin + moved_px, look.view.span}, reach());
  return_to(view);
  state_.motion.fitted |= look.everything;
  if (!glide) state_.motion.view.jump(state_.motion.view.target);
  for (const SplitHalf half : kHalves) {
    if (has(half) && !of(half).layout.holds_at(row_room(half).ns_per_px)) relayout();
  }
  const auto scroll = [&](SplitHalf half, const std::string& top_lane, double top_px) {
    double y = 0;
    if (!top_lane.empty()) {
      const std::vector<std::string> keys = lane_keys(trace());
      const auto at = std::ranges::find(keys, top_lane);
      const auto lane = id_at<LaneId>(static_cast<std::size_t>(at - keys.begin()));
      if (at != keys.end() && of(half).layout.shows(lane)) y = of(half).layout.box_of(lane).y + top_px;
    }
    scroll_to(y, half);
    if (!glide) of(half).scroll_y = of(half).scroll_target;
  };
  scroll(SplitHalf::Upper, look.top_lane, look.top_px);
  if (look.split) scroll(SplitHalf::Lower, look.split->top_lane, look.split->top_px);
  std::vector<std::string> chips;
  for (const std::string& filter : look.filters) {
    parse_filter(filter) ? chips.push_back(filter) : skipped.add("filters");
  }
  run_.set_chips(std::move(chips));
  coloring_.choose(look.color);
  set_time_format(look.times);
  state_.panels.set_layout(look.panels);
}

void Workspace::show_lanes(const ShownLook& look, SkippedParts& skipped) {
  state_.lanes.untouched = !look.arranged;
  static_cast<LanesLook&>(state_.lanes) = look.lanes;
  state_.lanes.state.row_scale = row_scale(state_.lanes.row_steps);
  state_.lanes.ordered_for.reset();
  const std::vector<std::string> keys = lane_keys(trace());
  const std::set<std::string_view> known(keys.begin(), keys.end());
  const auto unknown = [&](const std::string& key) { return !known.contains(key); };
  std::size_t gone = std::erase_if(state_.lanes.state.hidden, unknown) + std::erase_if(state_.lanes.state.only, unknown) +
                     std::erase_if(state_.lanes.state.pinned, unknown);
  gone += std::erase_if(state_.lanes.state.overview, [&](const OverviewLane& lane) { return unknown(lane.key); });
  skipped.add("lanes", gone);
  state_.pointer.place.reset();
  arrange_lanes();
  // The stored overview names no lane that exists here, so a new overview is made.
  if (look.arranged && state_.lanes.overview && !look.lanes.state.overview.empty() && state_.lanes.state.overview.empty()) {
    state_.lanes.untouched = true;
    arrange_lanes();
    state_.lanes.untouched = false;
  }
  relayout();
}

void Workspace::show_charts(const ShownState& state, Ns, SkippedParts& skipped) {
  const auto set_before = run_.question().settings.values();
  for (const auto& [setting, value] : set_before) run_.set_chart(setting, {});
  for (const auto& [setting, value] : state.charts) run_.set_chart(setting, value);
  color_anew();  // a chart setting decides which slices are coloured as communication
  ++state_.halves.layout_version;
  if (run_.question().as_script != state.as_script) run_.toggle_script_reading();
  run_.clear_brush();
  if (!state.brush.requests.empty()) {
    parse_filter(state.brush.requests) ? run_.set_brush(state.brush.requests, state.brush.chart) : skipped.add("brushes");
  } else if (!state.brush.name.empty()) {
    const LabelId label = label_named(trace(), state.brush.name);
    if (label == kNone<LabelId>) return skipped.add("brushes");
    run_.set_slice_brush({label, state.brush.least, state.brush.most}, state.brush.chart);
  }
}

void Workspace::show_selection(const SavedSelection& selected, Ns moved, SkippedParts& skipped) {
  state_.selection.clear();
  state_.selected.forget();
  const Wording wording(trace());
  const auto find = [&](const SliceRef& words) {
    const SliceId slice = wording.find(words, moved);
    if (slice == kNone<SliceId>) skipped.add("selected slices");
    return slice;
  };
  if (selected.gap) {
    const SliceId before = find(selected.gap->before), after = find(selected.gap->after);
    const LaneId lane = wording.lane(selected.gap->lane);
    if (before != kNone<SliceId> && after != kNone<SliceId> && lane != kNone<LaneId>) {
      Gap gap{lane, kNone<RowId>, {trace().end_of(before), trace().begin_of(after)}, before, after};
      if (selected.gap->row) gap.row = trace().row_of(before);
      if (!gap.time.empty()) select_gap(gap, false);
    }
  }
  if (selected.slice) select(find(*selected.slice), false);
  std::vector<SliceId> also;
  std::set<SliceId> known = {state_.selection.slice, kNone<SliceId>};
  for (const SliceRef& words : selected.also) {
    if (const SliceId slice = find(words); known.insert(slice).second) also.push_back(slice);
  }
  add_slices(also);
  if (selected.through && state_.selection.has_slice()) {
    if (const SliceId to = find(*selected.through); to != kNone<SliceId>) on(command::SelectThrough{to});
  }
  if (!selected.same_name.empty()) {
    const bool of_slice = state_.selection.has_slice() && trace().labels.name(selected_label()) == selected.same_name;
    const LabelId label = of_slice ? selected_label() : label_named(trace(), selected.same_name);
    label == kNone<LabelId> ? skipped.add("names") : select_same_name(label);
  }
  if (!selected.area) return;
  state_.selection.range = TimeRange{selected.area->begin + moved, selected.area->end + moved};
  state_.selection.made_in = selected.area_chart;
  state_.selection.origin_ns = trace().origin_ns;
  state_.selection.generation = snapshot_->generation;
  for (const std::string& key : selected.area_lanes) {
    const LaneId lane = wording.lane(key);
    lane == kNone<LaneId> ? skipped.add("lanes of the area") : state_.selection.lanes.push_back(lane);
  }
}

// ---- views stored under a number

void Workspace::on(const command::StoredView& which) {
  if (which.number < 1 || which.number > kStoredViews) return;
  auto& view = state_.views.stored[which.number - 1];
  const auto of_number = [&](Action first) { return static_cast<Action>(static_cast<std::size_t>(first) + which.number - 1); };
  if (which.store) {
    view = shown_look();
    const std::string key = around_key(of_number(Action::ShowView1), ": ", " shows it again");
    notice_ = fmt::format("view {} is stored{}", which.number, key);
  } else if (!view) {
    const std::string key = around_key(of_number(Action::StoreView1), ": ", " stores what is shown");
    notice_ = fmt::format("there is no view {}{}", which.number, key);
  } else {
    SkippedParts skipped;
    const ShownLook wanted = *view;
    show_look(wanted, 0, true, skipped);
    visit();
    notice_ = fmt::format("view {}", which.number) + (skipped.text().empty() ? "" : "; " + skipped.text());
  }
}

}  // namespace tv
