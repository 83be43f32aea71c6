#include "core/session/workspace/workspace.h"

#include <algorithm>
#include <cmath>

#include "core/base/text/path_parts.h"
#include "core/io/tables/mapped_file.h"
#include "core/query/carry_time.h"
#include "core/query/neighbours.h"
#include "core/view/charts/gpu/charts_gpu.h"
#include "core/view/lanes/lane_choice.h"
#include "core/view/lanes/lane_order.h"
#include "core/view/lanes/row_choice.h"
#include "core/view/lanes/shown_lanes.h"
#include "core/view/timeline/minimap.h"

namespace tv {
namespace {

constexpr double kSeen_px = 24;          // a slice that was gone to is at least that wide

// Of a packed trace that is mapped.
std::string words_of_cut(const std::string& path) {
  return std::string(last_part(path)) + " was cut while it is open, or its disk fails: what was there is shown as nothing";
}

template <class... Kinds>
bool is_one_of(const Command& command) {
  return (command.is<Kinds>() || ...);
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
      answers_(pool, std::move(wake)),
      snapshot_(session_.snapshot()),
      align_what_opens_(options.align_by_barriers) {
  adopt(snapshot_);
}

void Workspace::begin_frame(double dt_s, double now_s, const TimelineGeometry& geometry) {
  now_s_ = now_s;
  follow_settings();
  for (const std::string& path : take_cut_files()) say(words_of_cut(path));
  session_.give_up_damaged();
  chart_t_ = std::exchange(next_chart_t_, std::nullopt);
  const bool resized = geometry != geometry_;
  geometry_ = geometry;
  const bool running = session_.status().running();  // asked first: what it has published by then is the newest
  auto newest = session_.snapshot();
  if (before_ && gives_up_nothing(*newest, running)) newest = session_.snapshot();
  if (newest != snapshot_ && !(before_ && newest->trace->lanes.empty())) adopt(std::move(newest));
  if (resized) {
    if (untouched_) arrange_lanes();
    relayout();
  }
  follow_search();
  run_.follow(snapshot_, selection_);
  follow_answers();
  follow_culprit();
  follow_panels();
  look_for_waits();
  follow_time_words();
  sums_.ask(snapshot_->trace, selection_.same_name, selection_.stretch);
  coloring_.follow(snapshot_->trace, run_.data().rollout && rollout() ? run_.data().rollout : nullptr, theme(),
                   run_.question().settings.text(kCommunicationRules));
  if (aligning_) align_clocks();
  if (wanted_) show_wanted();
  if (session_.following()) follow_files();
  const Rollout* const rollout = run_.rollout();
  const bool orderable = lane_order_ && rollout && rollout->trace == snapshot_->trace;
  if (orderable && ordered_for_ != run_.question().step) order_lanes();
  if (settings_->reduced_motion) jump_to_targets();
  view_.step(dt_s, geometry_.width_px);
  const auto held = [&](SplitHalf half) { return !has(half) || of(half).layout.holds_at(row_room(half).ns_per_px); };
  if (!held(SplitHalf::Upper) || !held(SplitHalf::Lower)) resize_rows();
  for (const SplitHalf half : kHalves) glide(half, dt_s);
  follow_split();
}

// A snapshot replaces the one before: what is selected and shown stays, as far as it is still there.
void Workspace::adopt(std::shared_ptr<const Snapshot> snapshot) {
  const std::shared_ptr<const Snapshot> before = std::exchange(snapshot_, std::move(snapshot));
  const auto top = session_.following() ? top_lane(*before->trace) : std::nullopt;
  selection_.carry_over(*before, *snapshot_, session_.following());
  const auto carried = [&](Ns t) { return carried_time(*before->trace, trace(), t); };
  notes_.carry(carried);
  for (auto& view : stored_) {
    if (!view) continue;
    view->view.begin = static_cast<double>(carried(static_cast<Ns>(view->view.begin)));
    if (view->split) view->split->split.at = {carried(view->split->split.at[0]), carried(view->split->split.at[1])};
  }
  walked_.reset();
  mouse_place_.reset();
  gap_.reset();
  mouse_gap_.reset();
  if (selection_.also.empty()) differences_.clear();
  runs_in_view_ = tv::runs_in_view(trace());
  color_anew();
  lanes_.weight.clear();  // of other lanes
  ordered_for_.reset();
  arrange_lanes();
  carry_split(carried);
  relayout();
  keep_top(top);
  details_.reset();
  if (selection_.has_slice()) details_ = slice_details(trace(), selection_.slice);
  if (selection_.gap) gap_ = gap_details(*snapshot_, nullptr, *selection_.gap);
  if (!search_text().empty()) ask_search(search_.asked());
  // Files that gave nothing at all, or more than there is memory for: the report says why.
  const bool nothing = trace().lanes.empty() && !trace().sources.empty();
  if (snapshot_->complete && (nothing || session_.too_large())) {
    panels_.point_at("problems");
  }
  carry_view(*before->trace);
}

// Waits until all of it is there: offsets of a part would be worth less, and each time all is read again.
void Workspace::align_clocks() {
  const LoadStatus status = session_.status();
  if (status.running() || session_.snapshot() != snapshot_ || run_.pending()) return;
  aligning_ = false;
  if (status.stage == LoadStatus::Stage::Cancelled || !run_.rollout()) return;
  session_.set_clocks(aligned(trace(), run_.clocks(), session_.clocks()));
}

// By the step that is looked at: another step, another order.
void Workspace::order_lanes() {
  const Rollout* const rollout = run_.rollout();
  const bool known = lane_order_ && rollout && rollout->trace == snapshot_->trace && run_.question().step;
  ordered_for_ = known ? run_.question().step : std::nullopt;
  lanes_.weight = known ? worker_lane_weights(*rollout, *lane_order_, *ordered_for_) : std::vector<double>();
  relayout();
}

void Workspace::set_mouse(std::optional<double> t, SliceId hovered, const std::optional<Gap>& gap) {
  if (command_use_.covers()) return;
  mouse_t_ = t;
  mouse_gap_ = gap;
  selection_.hovered = hovered;
}

void Workspace::select(SliceId slice, bool reveal_it) {
  if (slice == kNone<SliceId> || idx(slice) >= trace().items()) return;
  selection_.select(*snapshot_, slice);
  details_ = slice_details(trace(), slice);
  gap_.reset();
  differences_.clear();
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

void Workspace::apply(const Command& any) {
  using namespace command;
  const bool in_turn = is_one_of<CopyText, NextGap, NextSlowest>(any);
  if (search_.pending() && (in_turn || any.is<NextHit>())) return waiting_.push_back(any);
  if (answers_.running()) {
    if (in_turn) return waiting_.push_back(any);
    if (any.is<ClearSelection>()) return stop_counting();
  }
  if (any.is_in<CommandsOfTheView>()) untouched_ = false;
  any.visit(
      Overloaded{
          [&](const OpenPaths& c) {
            if (c.new_tab) return requests_.of_tabs.push_back(c);
            if (!c.paths.empty()) open(c);
          },
          [&](const OpenPart& c) {
            if (!anything_open()) return;
            fit_next_ = true;
            history_.clear();
            session_.open_part(c.choice);
          },
          [&](const OpenDialog& c) { open_dialog(c); },
          [&](const ChooseFile& c) { choose_file(c.question); },
          [&](const FilesChosen& c) { files_chosen(c); },
          [&](const NewTab& c) { requests_.of_tabs.push_back(c); },
          [&](const CloseTab& c) { requests_.of_tabs.push_back(c); },
          [&](const ReopenTab& c) { requests_.of_tabs.push_back(c); },
          [&](const NextTab& c) { requests_.of_tabs.push_back(c); },
          [&](const GoToTab& c) { requests_.of_tabs.push_back(c); },
          [&](const MoveTab& c) { requests_.of_tabs.push_back(c); },
          [&](const CloseAll&) {
            selection_.clear();
            details_.reset();
            gap_.reset();
            forget_notes();
            wanted_.reset();
            missing_.clear();
            run_.select_everything();
            fit_next_ = true;
            before_.reset();
            forget_lane_choice();
            session_.close();
          },
          [&](const CloseFiles& c) { close_files(c.paths); },
          [&](const OpenClosed&) { session_.set_closed({}); },
          [&](const Reload&) {
            if (anything_open()) session_.reload();
          },
          [&](const SetClocks& c) { session_.set_clocks(c.offsets); },
          [&](const PlaceClocks& c) { session_.set_place_by(c.by); },
          [&](const AlignRuns& c) {
            const auto next = static_cast<Align>((static_cast<int>(trace().align) + 1) % static_cast<int>(Align::kCount));
            session_.set_align(c.align.value_or(next));
          },
          [&](const AlignClocks&) { aligning_ = true; },
          [&](const CancelLoading&) { session_.cancel(); },
          [&](const SelectSlice& c) {
            select(c.slice, c.reveal);
            if (!c.reveal) panels_.selected(true);  // clicked in the lanes
          },
          [&](const SelectRange& c) { select_range(c); },
          [&](const SelectEverything&) { select_range({shown_extent(trace()), {}}); },
          [&](const AddSlice& c) { add_slice(c.slice); },
          [&](const SelectThrough& c) { select_through(c.slice); },
          [&](const ToggleAreaLane& c) { toggle_area_lane(c.lane); },
          [&](const SelectSameName&) { select_same_name(selected_label()); },
          [&](const SelectName& c) { select_same_name(c.label); },
          [&](const SelectGap& c) { select_gap(c.gap, false); },
          [&](const GapUnderMouse&) {
            if (mouse_gap_) select_gap(*mouse_gap_, false);
          },
          [&](const NextGap& c) { next_gap(c.shorter); },
          [&](const RangeOfSelection&) {
            if (const auto time = selection_.has_slice() || gap_ ? selected_time() : std::nullopt) apply(SelectRange{*time, {}});
          },
          [&](const ClearSelection&) { clear_one_layer(); },
          [&](const NextSlice&) {
            if (selection_.has_slice()) step_selection(next_in_lane(trace(), selection_.slice));
          },
          [&](const PreviousSlice&) {
            if (selection_.has_slice()) step_selection(previous_in_lane(trace(), selection_.slice));
          },
          [&](const ParentSlice&) {
            if (selection_.has_slice()) step_selection(parent_of(trace(), selection_.slice));
          },
          [&](const ChildSlice&) {
            if (selection_.has_slice()) step_selection(children_of(trace(), selection_.slice).first);
          },
          [&](const FollowFlow& c) { c.next ? next_flow(c.forward) : follow_flow(c.forward); },
          [&](const FitAll&) { go(fit(whole(), reach())); },
          [&](const FitSelection&) {
            if (!selection_.range && selection_.has_slice() && selection_.also.empty()) {
              fit_slice(selection_.slice);
            } else if (const auto time = selected_time()) {
              fit_to(*time);
            }
          },
          [&](const ZoomTo& c) { go(fit(c.range, reach(), 0)); },
          [&](const ZoomBy& c) { go(zoom_at(view_.target, c.anchor01, c.factor, reach())); },
          [&](const PanBy& c) {
            // Dragging must stay under the mouse: no gliding.
            go(pan(view_.target, c.spans, reach()));
            view_.jump(view_.target);
          },
          [&](const ShowTime& c) {
            go({c.begin, c.span});
            view_.jump(view_.target);
          },
          [&](const OpenGoTo&) {
            go_to_open_ = true;
            go_to_complaint_.clear();
          },
          [&](const GoTo& c) { go_to(c.text); },
          [&](const SetTimeFormat& c) { choose_times(c.format); },
          [&](const KeepSpan&) { keep_span(); },
          [&](const ScrollBy& c) {
            const SplitHalf half = c.half.value_or(mouse_half_);
            if (has(half)) scroll_to(of(half).scroll_target + c.pixels, half);
          },
          [&](const Back&) { return_to(history_.back()); },
          [&](const Forward&) { return_to(history_.forward()); },
          [&](const ToggleLane& c) {
            fold(c.lane, mouse_half_);
            relayout();
          },
          [&](const CollapseAll& c) {
            set_all_collapsed(trace(), c.collapsed, lanes_);
            overview_on_ = false;
            relayout();
          },
          [&](const ScaleRows& c) {
            row_steps_ = std::clamp(row_steps_ + c.steps, kLeastSteps, kMostSteps);
            lanes_.row_scale = row_scale(row_steps_);
            resize_rows();
          },
          [&](const CycleRowSize&) { cycle_row_size(); },
          [&](const CutLane&) { cut_lane(); },
          [&](const SizeRows& c) {
            set_row_size(trace(), c.lane, c.size, lanes_);
            resize_rows();
          },
          [&](const LimitDepth& c) {
            set_depth_limit(trace(), c.lane, c.levels, lanes_);
            resize_rows();
          },
          [&](const ResetRows&) {
            row_steps_ = 0;
            reset_rows(lanes_);
            resize_rows();
          },
          [&](const FilterLanes& c) {
            lanes_.filter = c.words;
            relayout();
            for (const SplitHalf half : kHalves) scroll_to(0, half);
          },
          [&](const ColorSlices& c) { notice_ = coloring_.choose(c.by); },
          [&](const OrderLanes& c) {
            lane_order_ = c.by;
            lane_sort_.reset();
            order_lanes();
          },
          [&](const ChooseLanes& c) { choose_lanes(c); },
          [&](const ToggleOverview&) { toggle_overview(); },
          [&](const FoldLevels& c) { fold_levels(c); },
          [&](const SortLanes& c) { sort_lanes(c.by); },
          [&](const DragLane& c) {
            drag_lane(trace(), of(mouse_half_).layout, c.lane, c.before, lanes_);
            relayout();
          },
          [&](const ScrollToLane& c) {
            const LaneLayout& layout = of(mouse_half_).layout;
            if (layout.shows(c.lane)) scroll_to(layout.box_of(c.lane).y, mouse_half_);
          },
          [&](const OpenSearch& c) {
            search_open_ = true;
            if (c.in_records == search_in_records()) return;
            SearchQuestion other = search_.asked();
            other.in_records = c.in_records;
            ask_search(std::move(other));
          },
          [&](const Search& c) {
            SearchQuestion question = search_.asked();
            question.text = c.text;
            question.in_records = c.in_records;
            ask_search(std::move(question));
          },
          [&](const ToggleSearch& c) { toggle_search(c.what); },
          [&](const GoToHit& c) { go_to_hit(c.slice); },
          [&](const NextHit& c) { next_hit(c.forward); },
          [&](const FilterRequests& c) {
            run_.add_chip(c.expression);
            visit();
          },
          [&](const RemoveFilter& c) { run_.remove_chip(c.index), visit(); },
          [&](const BrushRequests& c) { run_.set_brush(c.expression, c.chart); },
          [&](const BrushSlices& c) { run_.set_slice_brush(c.brush, c.chart); },
          [&](const SelectRequest& c) { select_request(c.request, c.fit); },
          [&](const GoToStep& c) { go_to_step(c.step); },
          [&](const GoToTrainingStep& c) { go_to_training_step(c.line); },
          [&](const GoToMarkedStep& c) { go_to_marked_step(c.step); },
          [&](const NextStep& c) { c.last ? last_step() : next_step(c.forward); },
          [&](const GoToWorkerStep& c) { go_to_worker_step(c.worker_step); },
          [&](const NextSlowest& c) { next_slowest(c.forward); },
          [&](const ToggleScriptReading&) { run_.toggle_script_reading(); },
          [&](const FilterSlices& c) { slice_filter_.set(c.expression); },
          [&](const SetChart& c) { set_chart(c.setting, c.value); },
          [&](const AddMark& c) { add_mark(c.t); },
          [&](const DeleteMark&) { delete_mark(); },
          [&](const EditNote& c) { edit_note(c); },
          [&](const StoredView& c) { stored_view(c); },
          [&](const SaveView& c) { save_view(c); },
          [&](const LocateSources& c) { locate_sources(c.folder); },
          [&](const TogglePanel& c) { panels_.toggle(c.id); },
          [&](const ShowPanel& c) { panels_.show(c.id); },
          [&](const ShowPanelNumber& c) { panels_.show_number(c.number, panel_data()); },
          [&](const ShowPanelGroup& c) { panels_.show_group(c.group, panel_data()); },
          [&](const NextPanelGroup& c) { panels_.next_group(c.forward, panel_data()); },
          [&](const MovePanel& c) { panels_.move(c.id, c.place); },
          [&](const ClosePanel& c) { panels_.close(c.id); },
          [&](const SizePanels& c) { panels_.size(c.which, c.share); },
          [&](const PlaceOwnPanel& c) { panels_.place_own(c.panel); },
          [&](const ResetPanels&) { panels_.reset(); },
          [&](const ToggleHelp&) { help_open_ = !help_open_; },
          [&](const ToggleTheme&) { set_theme(theme() == ThemeKind::Dark ? ThemeKind::Light : ThemeKind::Dark); },
          [&](const ChooseTheme& c) { settings_->theme = c.theme; },
          [&](const SetAppearance& c) {
            set_appearance({c.palette.value_or(appearance().palette), c.reduced_motion.value_or(appearance().reduced_motion)});
          },
          [&](const ToggleDialog&) {},  // the interface's own
          [&](const OpenManual&) {},    // likewise
          [&](const ToggleFullScreen&) { requests_.toggle_full_screen = true; },
          [&](const ScaleInterface& c) {
            float& size = settings_->text_size;
            size = c.factor == 0 ? 1 : std::clamp(size * c.factor, kLeastTextSize, kMostTextSize);
          },
          [&](const Screenshot& c) { requests_.screenshots.push_back(c); },
          [&](const CopyText& c) { c.text.empty() ? copy_selection() : requests_.copies.push_back(c.text); },
          [&](const CopyRecord&) { copy_record(); },
          [&](const SaveText& c) { requests_.files.push_back(c); },
          [&](const Quit&) { requests_.quit = true; },
          [&](const auto& c) -> decltype(on(c)) { on(c); },  // workspace_commands.cpp
      });
}

}  // namespace tv
