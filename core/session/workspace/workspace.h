// The window's state, without a window: the open files, the visible part, the selection. Panels read it and push commands; the
// app applies them here between frames. Tests and scripts do the same.
//
//   frame:  begin_frame(dt)  ->  panels read, push commands  ->  apply(command) for each  ->  take_requests()
#pragma once

#include <array>
#include <deque>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/analysis/clocks/align_advice.h"
#include "core/session/persistence/settings.h"
#include "core/session/persistence/view_file.h"
#include "core/session/search/late_answers.h"
#include "core/session/search/selection_sums.h"
#include "core/session/search/slice_coloring.h"
#include "core/session/search/slice_filter_state.h"
#include "core/session/search/slice_search.h"
#include "core/session/state/step_news.h"
#include "core/session/state/waiting_commands.h"
#include "core/session/state/window_state.h"
#include "core/session/workspace/run_state.h"
#include "core/session/workspace/session.h"
#include "core/view/color/palette.h"
#include "core/view/details/gap_details.h"
#include "core/view/details/slice_details.h"
#include "core/view/details/wait_details.h"
#include "core/view/keys/commands.h"
#include "core/view/keys/window_requests.h"
#include "core/view/lanes/lane_layout.h"
#include "core/view/navigation/navigation.h"
#include "core/view/navigation/view_history.h"
#include "core/view/navigation/viewport.h"
#include "core/view/panels/shown_state.h"
#include "core/view/table/table_files.h"
#include "core/view/timeline/notes.h"
#include "core/view/timeline/split.h"

namespace tv {

class SkippedParts;

/// Results of analysis for the shown trace; null: not known yet, or there is none.
struct ShownResults {
  const Rollout* rollout = nullptr;
  const CollectiveWaits* collectives = nullptr;
  const GpuMarks* gpu_marks = nullptr;
};

class Workspace {
 public:
  /// All views of the program share `settings`.
  Workspace(ThreadPool& pool, std::function<void()> wake, LoadOptions options = {},
            std::shared_ptr<Settings> settings = std::make_shared<Settings>());

  /// Takes over the newest snapshot and advances animations. `now_s`: any clock that does not go back.
  void begin_frame(double dt_s, double now_s, const TimelineGeometry& geometry);
  void navigate(const HeldKeys& keys, double dt_s, double anchor01);
  void apply(const Command& command);
  WindowRequests take_requests() { return std::exchange(requests_, {}); }
  /// A message for the user. Empty if there is none.
  std::string take_notice() { return std::exchange(notice_, {}); }
  void say(const std::string& notice) { notice_ += (notice_.empty() || notice.empty() ? "" : "; ") + notice; }
  /// Panels report here what the mouse is over, because some commands act there. `hovered`: the slice under the mouse, or kNone.
  void set_mouse(const UnderMouse& at, SliceId hovered = kNone<SliceId>);

  Session& session() { return session_; }
  const Session& session() const { return session_; }
  ThreadPool& pool() { return pool_; }
  RunState& run() { return run_; }
  const RunState& run() const { return run_; }

  const Snapshot& snapshot() const { return *snapshot_; }
  std::shared_ptr<const Snapshot> shared_snapshot() const { return snapshot_; }
  const Trace& trace() const { return *snapshot_->trace; }
  /// Something is still being read or computed, or was read and waits for the next frame. Asks the session first, so that the
  /// snapshot is not older than the session's answer.
  bool busy() const {
    return session_.busy() || session_.snapshot() != snapshot_ || run_.busy() || sums_.busy() || coloring_.busy() || search_.busy() ||
           slice_filter_.busy() || aligning_ || state_.views.wanted || waiting_.busy();
  }
  /// A command waits for a count that is not finished.
  bool answering() const { return waiting_.busy(); }
  /// Clocks will be aligned by barriers once the rollout is known.
  bool aligning() const { return aligning_; }

  /// What the window shows.
  const WindowState& state() const { return state_; }

  // ---- the timeline
  /// How far the view can go: far enough for each half to show all data (reachable_extent()).
  TimeRange reach() const;
  /// Height of all lanes, and of a line for the count of lanes and for the legend, which would otherwise cover the last lane.
  double scrolled_height(SplitHalf half = SplitHalf::Upper) const;
  /// Holds for the next frame only: a chart under the mouse calls it in every frame.
  void set_chart_time(std::optional<double> t) { state_.pointer.next_on_chart = t; }
  const Palette& palette() const { return palette_; }
  /// The attribute that colours slices, and the colours.
  const SliceColoring& coloring() const { return coloring_; }
  /// How runs are aligned in the present view.
  const RunsInView& runs_in_view() const { return runs_in_view_; }

  // ---- the selection
  /// The time between each selected slice and the one selected after it: "... begins 3 ms after ... begins"; for three or more,
  /// also the time that they cover together. For a stretch of slices, their sums. Empty: no slice or one is selected.
  const std::vector<std::string>& differences() const { return state_.selection.stretch ? sums_.lines() : state_.selected.differences; }
  /// The sums of all slices with the singled-out name. Empty: no name is singled out.
  std::string same_name() const { return state_.selection.stretch || sums_.lines().empty() ? std::string() : sums_.lines().front(); }
  /// The brushed slices in the shown trace, which are highlighted while all others are dimmed. Null: none.
  std::shared_ptr<const BrushedSlices> brushed_slices();
  /// The slices that a brush leaves lit on the timeline, ascending; without a brush, those of the slice filter. Null: neither.
  std::shared_ptr<const std::vector<SliceId>> lit_slices();
  SliceFilterState& slice_filter() { return slice_filter_; }
  const SliceFilterState& slice_filter() const { return slice_filter_; }
  SliceSearch& search() { return search_; }
  const SliceSearch& search() const { return search_; }

  // ---- results of analysis
  ShownResults results() const;
  /// The source whose steps the N key visits and the strip shows: that of the selected slice's process, else the first with more
  /// than one step, else the first. Null: there are no steps, or a rollout or a training log has its own.
  const StepSource* step_source() const;
  /// The step of step_source() in the middle of the view, or the last one before. None while everything is in sight.
  std::optional<std::uint32_t> marked_step() const;

  // ---- notes and views
  /// All that is shown, or the state that show() has been given but does not show yet.
  ShownState shown_state() const;
  /// Shows this state as soon as the open files have been read. `read_again`: reads them again if the state was made with other
  /// read settings.
  void show(ShownState state, bool read_again = true);

  // ---- around the timeline
  PanelState& panels() { return state_.panels; }
  /// The facts that decide which panels have anything to show.
  PanelData panel_data() const;
  void begin_tables(const KeptTables& tables) { state_.tables.begin_with(tables); }
  DeskFacts& desk_facts() { return state_.desk; }
  Settings& settings() { return *settings_; }
  const Settings& settings() const { return *settings_; }

 private:
  void open(const command::OpenPaths& asked);
  void begin_anew();
  bool go_back_if_empty(const Snapshot& newest, bool running);
  void adopt(std::shared_ptr<const Snapshot> snapshot);
  void carry_view(const Trace& before);
  std::optional<TopLane> top_lane(const Trace& of) const;
  void keep_top(const std::optional<TopLane>& top);
  void follow_files();
  void follow_settings();
  void color_anew();
  void align_clocks();
  void relayout();
  void lay_out(SplitHalf half);
  LaneState half_lanes(SplitHalf half) const;
  void resize_rows();
  RowRoom row_room(SplitHalf half) const;
  TimelineHalf& of(SplitHalf half) { return state_.halves.of(half); }
  const TimelineHalf& of(SplitHalf half) const { return state_.halves.of(half); }
  bool has(SplitHalf half) const { return state_.halves.has(half); }
  Ns later(SplitHalf half) const { return state_.halves.later(half); }
  /// The half in which to bring this time on this lane into sight: preferably one that shows the lane already, and the time.
  SplitHalf half_for(LaneId lane, TimeRange time) const;
  TimeRange whole() const;  ///< the range of "fit everything"
  void follow_split();
  const StepSource* steps_of_half(SplitHalf half) const;
  void carry_split(const std::function<Ns(Ns)>& carried);
  SplitScene split_scene() const;
  void show_split();
  void start_split(Split split);
  bool next_step_of_halves(bool forward);
  void move_step(SplitHalf half, const StepSource& steps, std::size_t step);
  void look_at_step_then(Ns t);
  void fit_to(TimeRange time, LaneId lane = kNone<LaneId>);
  void fit_step(TimeRange time);
  void fold(LaneId lane, SplitHalf half);
  LaneId lane_meant() const;
  void order_lanes();
  void arrange_lanes();
  RowId row_waited_for() const;
  void follow_culprit();
  void forget_lane_choice();
  std::vector<LaneId> lanes_meant(const std::vector<LaneId>& named) const;
  void follow_panels();
  void visit() { state_.motion.history.visit({state_.motion.view.target, run_.chips()}, now_s_); }
  void return_to(const std::optional<Visit>& visit);
  void go(const Viewport& target);
  void return_to(const Viewport& target);  ///< like go, without a new step in the history
  void select(SliceId slice, bool reveal);
  void reveal(SliceId slice, double least_px);
  SplitHalf reveal_row(SliceId slice);
  void reveal_row(SliceId slice, SplitHalf half);
  void show_lane(LaneId lane);
  void add_slices(const std::vector<SliceId>& slices);
  void update_differences();
  LabelId selected_label() const;
  void select_same_name(LabelId label);
  void slowest_request(bool forward);
  void select_gap(const Gap& gap, bool reveal);
  void describe_gap(const Gap& gap);
  void explain_gap();
  void find_gaps(LaneId lane, bool shorter);
  void walk_gaps(bool shorter);
  void go_to_place(const std::string& text);
  void set_time_format(std::optional<TimeFormat> format);
  void follow_time_style();
  std::optional<TimeRange> selected_time() const;
  TimeRange time_of_slices() const;
  void scroll_to(double y, SplitHalf half = SplitHalf::Upper) { of(half).scroll_target = clamped_scroll(y, half); }
  void glide(SplitHalf half, double dt_s);
  void jump_to_targets();
  void step_selection(std::optional<SliceId> next);
  std::vector<SliceId> flow_ends(SliceId slice, bool forward) const;
  void follow_flow(bool forward);
  void next_flow(bool forward);
  void look_for_waits();
  void select_request(RequestIx request, bool fit_it);
  void next_step(bool forward);
  void last_step();
  void fit_slice(SliceId slice);
  void ask_search(SearchQuestion question);
  void follow_search();
  void end_search();
  std::optional<std::size_t> note_meant();
  std::size_t mark_here();
  void forget_notes();
  ShownLook shown_look() const;
  void show_wanted();
  void show_look(const ShownLook& look, Ns moved, bool glide, SkippedParts& skipped);
  void show_lanes(const ShownLook& look, SkippedParts& skipped);
  void show_charts(const ShownState& state, Ns moved, SkippedParts& skipped);
  void show_selection(const SavedSelection& selected, Ns moved, SkippedParts& skipped);
  void view_chosen(std::string path);
  TakenView take_view_files(std::vector<std::string>& paths);
  std::string selection_text() const;
  void copy_selection(TableFormat format);
  void copy_area(TableFormat format);
  void count_first(std::string words, LateAnswers::Work work) { waiting_.count_first(std::move(words), std::move(work), now_s_); }
  void follow_answers();
  double clamped_scroll(double y, SplitHalf half = SplitHalf::Upper) const;

#define TV_COMMAND(type, effect, when) void on(const command::type& c);
#include "core/view/keys/commands.inc"

  ThreadPool& pool_;
  const std::shared_ptr<Settings> settings_;
  Session session_;
  RunState run_;
  SelectionSums sums_;
  SliceColoring coloring_;
  SliceSearch search_;
  SliceFilterState slice_filter_;
  WaitingCommands waiting_;
  std::shared_ptr<const Snapshot> snapshot_;
  std::optional<Session::Opened> before_;  ///< the previous files, shown until the newly opened ones show something
  RunsInView runs_in_view_;
  Palette palette_;
  StepNews news_;
  std::uint64_t facts_of_ = UINT64_MAX;  ///< the generation for which the following was computed
  bool several_clocks_ = false, several_with_problems_ = false;
  const LoadOptions asked_;  ///< on the command line
  bool aligning_ = false;
  double now_s_ = 0;

  WindowState state_;
  WindowRequests requests_;
  std::string notice_;
};

}  // namespace tv
