// The window's state, without a window: the open files, the visible part, the selection. Panels read
// it and push commands; the app applies them here between frames. Tests and scripts do the same.
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
#include "core/session/kept/settings.h"
#include "core/session/kept/view_file.h"
#include "core/session/search/late_answers.h"
#include "core/session/search/selection_sums.h"
#include "core/session/search/slice_coloring.h"
#include "core/session/search/slice_filter_state.h"
#include "core/session/search/slice_search.h"
#include "core/session/workspace/panel_state.h"
#include "core/session/workspace/run_state.h"
#include "core/session/workspace/session.h"
#include "core/session/workspace/workspace_memory.h"
#include "core/view/color/palette.h"
#include "core/view/details/gap_details.h"
#include "core/view/details/selection.h"
#include "core/view/details/slice_details.h"
#include "core/view/details/wait_details.h"
#include "core/view/keys/command_use.h"
#include "core/view/keys/commands.h"
#include "core/view/keys/window_requests.h"
#include "core/view/lanes/lane_layout.h"
#include "core/view/navigation/navigation.h"
#include "core/view/navigation/view_history.h"
#include "core/view/navigation/viewport.h"
#include "core/view/panels/shown_state.h"
#include "core/view/timeline/notes.h"
#include "core/view/timeline/split.h"
#include "core/view/words/time_words.h"

namespace tv {

class SkippedWords;

class Workspace {
 public:
  /// `settings`: of all views of the program.
  Workspace(ThreadPool& pool, std::function<void()> wake, LoadOptions options = {},
            std::shared_ptr<Settings> settings = std::make_shared<Settings>());

  /// Takes over the newest snapshot and moves what moves. `now_s`: any clock that does not go back.
  void begin_frame(double dt_s, double now_s, const TimelineGeometry& geometry);
  void navigate(const HeldKeys& keys, double dt_s, double anchor01);
  void apply(const Command& command);
  WindowRequests take_requests() { return std::exchange(requests_, {}); }
  /// A sentence for the user: why no file was opened. Empty if there is none.
  std::string take_notice() { return std::exchange(notice_, {}); }
  void say(const std::string& notice) { notice_ += (notice_.empty() || notice.empty() ? "" : "; ") + notice; }
  /// Where the mouse is, for commands that act there; `gap`: that it points at.
  void set_mouse(std::optional<double> t, SliceId hovered, const std::optional<Gap>& gap = {});
  /// And on which lane, at this height of the lanes' part: `y` pixels below its top. None: not over lanes or their names.
  void set_mouse_place(std::optional<LaneLayout::Place> place, double y, SplitHalf half = SplitHalf::Upper);

  Session& session() { return session_; }
  const Session& session() const { return session_; }
  ThreadPool& pool() { return pool_; }
  RunState& run() { return run_; }
  const RunState& run() const { return run_; }

  const Snapshot& snapshot() const { return *snapshot_; }
  std::shared_ptr<const Snapshot> shared_snapshot() const { return snapshot_; }
  const Trace& trace() const { return *snapshot_->trace; }
  const Viewport& view() const { return view_.current; }
  const LaneLayout& layout() const { return upper_.layout; }
  /// Two timelines above each other; null: there is one, which is the upper half.
  const Split* split() const { return split_ ? &*split_ : nullptr; }
  Viewport view(SplitHalf half) const { return {view_.current.begin + static_cast<double>(later(half)), view_.current.span}; }
  const LaneLayout& layout(SplitHalf half) const { return of(half).layout; }
  double scroll_y(SplitHalf half) const { return of(half).scroll_y; }
  const std::string& lanes_text(SplitHalf half) const { return of(half).lanes_text; }
  const SplitTitle& split_title(SplitHalf half) const { return split_titles_[ix(half)]; }
  /// Whose steps a half can stand at; null: it has none.
  const StepSource* split_steps(SplitHalf half) const { return split_steps_[ix(half)]; }
  /// The half that was pointed at last: keys mean it.
  SplitHalf mouse_half() const { return mouse_half_; }
  /// Changes whenever the layout does, so that drawings made from it can be kept meanwhile.
  std::uint64_t layout_version() const { return layout_version_; }
  const Palette& palette() const { return palette_; }
  const Selection& selection() const { return selection_; }
  const SliceDetails* details() const { return details_ ? &*details_ : nullptr; }
  /// The waits of the selected slice in its collective, once they are known.
  const WaitDetails& waits() const { return waits_; }
  std::uint64_t waits_version() const { return waits_version_; }
  /// The collectives of the present trace, once they are known; else null.
  const CollectiveWaits* collectives() const;
  const GpuMarks* gpu_marks() const;
  const Rollout* rollout() const;
  double scroll_y() const { return upper_.scroll_y; }
  const std::string& lane_filter() const { return lanes_.filter; }
  /// Why it is not understood; empty: it is.
  const std::string& lane_complaint() const { return lane_complaint_; }
  const LaneState& lanes() const { return lanes_; }
  /// Which lanes are not shown, in words: "24 of 88 lanes, 12 hidden"; empty when all are.
  const std::string& lanes_text() const { return upper_.lanes_text; }
  std::optional<LaneSort> lane_sort() const { return lane_sort_; }
  std::optional<HeatMeasure> lane_order() const { return lane_order_; }
  const GapDetails* gap() const { return gap_ ? &*gap_ : nullptr; }  ///< that is selected
  /// How times are written, everywhere.
  const TimeWords& time_words() const { return time_words_; }
  /// On the ruler of a half: within a step it is the step that this half shows.
  const TimeWords& time_words(SplitHalf half) const { return half == SplitHalf::Lower && split_ ? lower_words_ : time_words_; }
  /// The time between the first selected slice and the others: "... begins 3 ms after ... began". For a stretch of slices their
  /// sums. Empty: none or one is selected.
  const std::vector<std::string>& differences() const { return selection_.stretch ? sums_.lines() : differences_; }
  /// The sums of all slices with the name that is singled out. Empty: none is.
  std::string same_name() const { return selection_.stretch || sums_.lines().empty() ? std::string() : sums_.lines().front(); }
  /// Slices that a chart is brushed over, of the trace that is shown: they are lit, all others dimmed. Null: none.
  std::shared_ptr<const BrushedSlices> brushed_slices();
  /// The same for the timeline, rising; those that the filter of slices leaves, where none are brushed.
  std::shared_ptr<const std::vector<SliceId>> lit_slices();
  SliceFilterState& slice_filter() { return slice_filter_; }
  const SliceFilterState& slice_filter() const { return slice_filter_; }
  /// By what slices are coloured, and their colours.
  const SliceColoring& coloring() const { return coloring_; }
  /// Something is still being read or computed, or was read and waits for the next frame. The session is asked first: what it
  /// has published by then is the newest.
  bool busy() const {
    return session_.busy() || session_.snapshot() != snapshot_ || run_.busy() || sums_.busy() || coloring_.busy() || search_.busy() || slice_filter_.busy() || aligning_ ||
           wanted_ || answering();
  }
  /// A command waits for something that is still being counted.
  bool answering() const { return answers_.running() || !waiting_.empty(); }
  /// Where the mouse is in time, on the timeline or in a chart with a time axis.
  std::optional<double> pointed_time() const { return mouse_t_ ? mouse_t_ : chart_t_; }
  std::optional<double> timeline_time() const { return mouse_t_; }
  /// The pointed time in a half: a point in one half is marked at the same place of the other.
  std::optional<double> pointed_time(SplitHalf half) const;
  /// Holds for the next frame only: a chart under the mouse calls it in every frame.
  void set_chart_time(std::optional<double> t) { next_chart_t_ = t; }
  const Notes& notes() const { return notes_; }
  std::vector<Ns> marks() const;          ///< the notes that are marks
  std::vector<TimeRange> spans() const;   ///< and those that are spans
  bool notes_unsaved() const { return notes_.version() != saved_notes_; }
  /// The note whose name is asked for; none: none is.
  const std::optional<std::size_t>& naming() const { return naming_; }
  /// The view file that was opened or saved last; empty: none.
  const std::string& view_file() const { return view_file_; }
  /// The files and folders that the view file names and that were not found anywhere.
  const std::vector<ViewSource>& missing_sources() const { return missing_; }
  bool stored(std::size_t number) const { return stored_[number - 1].has_value(); }
  /// All that is shown; while what show() was given waits, that.
  ShownState shown_state() const;
  /// Shows it as soon as the open files have been read. `read_again`: reads them again if it was made with another way of reading.
  void show(ShownState state, bool read_again = true);
  TimeRange limits() const;
  /// How far the view can go, so that each half can show all that limits() are.
  TimeRange reach() const;
  /// How runs are aligned in the present view.
  const RunsInView& runs_in_view() const { return runs_in_view_; }
  /// The source whose steps N goes through and the strip shows. None for a rollout and a training log, which know more of theirs;
  /// else that of the selected slice's process, or the first with more than one step. Null: there is no source with steps.
  const StepSource* step_source() const;
  /// The one of its steps in the middle of the view, or the last before it; none while everything is in sight.
  std::optional<std::uint32_t> marked_step() const;
  bool moving() const {
    return view_.moving() || upper_.scroll_target != upper_.scroll_y || (split_ && lower_.scroll_target != lower_.scroll_y);
  }
  /// The height of all lanes and some lines below them, as they stood before anything was done in the window. 0: the window has no
  /// room for all, or they are being read.
  float lanes_need_px() const { return lanes_need_px_; }
  /// Nothing was done in it since something was opened.
  bool untouched() const { return untouched_; }
  bool anything_open() const { return !session_.paths().empty(); }
  /// The list of all commands, its box and its menus (command_list.h).
  const CommandUse& command_use() const { return command_use_; }
  void set_recent_commands(std::vector<std::string> ids) { command_use_.recent = std::move(ids); }
  void set_kept_facts(const KeptFacts& kept) { command_use_.kept = kept; }
  void set_closed_tab(bool any) { command_use_.closed_tab = any; }
  /// Where files were opened from lately, of all views, the last first: where one may look again.
  const std::vector<std::string>& recent_folders() const { return recent_folders_; }
  void set_recent_folders(std::vector<std::string> folders) { recent_folders_ = std::move(folders); }
  /// The state from which command_scene.h tells which commands make sense.
  const std::optional<LaneLayout::Place>& mouse_place() const { return mouse_place_; }
  const std::optional<Gap>& mouse_gap() const { return mouse_gap_; }
  /// Clocks are to be aligned by barriers, once the rollout is there.
  bool aligning() const { return aligning_; }

  Settings& settings() { return *settings_; }
  const Settings& settings() const { return *settings_; }
  ThemeKind theme() const { return settings_->shown_theme(); }
  void set_theme(ThemeKind kind);
  Appearance appearance() const { return {settings_->palette, settings_->reduced_motion}; }
  void set_appearance(const Appearance& appearance);
  float interface_scale() const { return settings_->text_size; }
  /// Which panels are shown, and where.
  const PanelState& panels() const { return panels_; }
  PanelState& panels() { return panels_; }
  /// The facts that decide which panels have anything to show.
  PanelData panel_data() const;
  /// Order, filter and columns of the tables that the user has changed.
  const TableStates& tables() const { return tables_; }
  void begin_tables(const KeptTables& tables) { tables_.begin_with(tables); }
  bool drawer_open() const { return panels_.layout().drawer; }
  /// Which panel the tabs of the drawer show, by the id of the panel table.
  const std::string& drawer_panel() const { return panels_.layout().left; }
  bool help_open() const { return help_open_; }
  bool dialog_open() const { return dialog_open_; }
  bool dialog_adds() const { return dialog_.add; }
  /// Where the files chosen in it would be opened.
  const command::OpenDialog& dialog() const { return dialog_; }
  /// The question of the window's dialog. None: which files to open.
  const std::optional<FileQuestion>& dialog_question() const { return dialog_question_; }
  void close_dialog() { dialog_open_ = false; }
  /// The desktop has dialogs for files: they are asked for (WindowRequests) instead of the one in the window.
  void set_native_dialogs(bool on) { native_dialogs_ = on; }
  bool go_to_open() const { return go_to_open_; }
  /// Why the last place was not found; empty: it was.
  const std::string& go_to_complaint() const { return go_to_complaint_; }
  bool search_open() const { return search_open_; }
  const SliceSearch& search() const { return search_; }
  std::shared_ptr<const HitList> hit_list() { return search_.list(); }
  const std::string& search_text() const { return search_.asked().text; }
  bool search_in_records() const { return search_.asked().in_records; }
  /// The hits of the search so far.
  const HitSpread& search_hits() const { return search_.hits().spread(); }

 private:
  void open(const command::OpenPaths& asked);
  void begin_anew();
  bool gives_up_nothing(const Snapshot& newest, bool running);
  void adopt(std::shared_ptr<const Snapshot> snapshot);
  void carry_view(const Trace& before);
  std::optional<TopLane> top_lane(const Trace& of) const;
  void keep_top(const std::optional<TopLane>& top);
  void follow_files();
  void tell_new_outliers();
  void follow_settings();
  void color_anew();
  void align_clocks();
  void relayout();
  void lay_out(SplitHalf half);
  LaneState half_lanes(SplitHalf half) const;
  void resize_rows();
  RowRoom row_room(SplitHalf half) const;
  float height_of(SplitHalf half) const { return half == SplitHalf::Lower ? geometry_.lower_px : geometry_.height_px; }
  TimelineHalf& of(SplitHalf half) { return half == SplitHalf::Lower ? lower_ : upper_; }
  const TimelineHalf& of(SplitHalf half) const { return half == SplitHalf::Lower ? lower_ : upper_; }
  bool has(SplitHalf half) const { return half == SplitHalf::Upper || split_; }
  Ns later(SplitHalf half) const { return split_ ? split_->later(half) : 0; }
  /// Which one to bring something into sight in: where its lane is shown, and its time.
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
  void visit() { history_.visit({view_.target, run_.chips()}, now_s_); }
  void return_to(const std::optional<Visit>& visit);
  void go(const Viewport& target);
  void return_to(const Viewport& target);  ///< like go, without a new step in the history
  void select(SliceId slice, bool reveal);
  void reveal(SliceId slice, double least_px);
  SplitHalf reveal_row(SliceId slice);
  void reveal_row(SliceId slice, SplitHalf half);
  void show_lane(LaneId lane);
  void add_slices(const std::vector<SliceId>& slices);
  void tell_differences();
  LabelId selected_label() const;
  void select_same_name(LabelId label);
  void slowest_request(bool forward);
  void select_gap(const Gap& gap, bool reveal);
  void find_gaps(LaneId lane, bool shorter);
  void walk_gaps(bool shorter);
  void go_to_place(const std::string& text);
  void set_time_format(std::optional<TimeFormat> format);
  void follow_time_words();
  std::optional<TimeRange> selected_time() const;
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
  void show_look(const ShownLook& look, Ns moved, bool glide, SkippedWords& skipped);
  void show_lanes(const ShownLook& look, SkippedWords& skipped);
  void show_charts(const ShownState& state, Ns moved, SkippedWords& skipped);
  void show_selection(const SelectedWords& selected, Ns moved, SkippedWords& skipped);
  void view_chosen(std::string path);
  TakenView take_view_files(std::vector<std::string>& paths);
  std::string selection_text() const;
  void copy_selection();
  void copy_area();
  void count_first(std::string words, LateAnswers::Work work);
  void follow_answers();
  void stop_counting();
  double clamped_scroll(double y, SplitHalf half = SplitHalf::Upper) const;

#define TV_COMMAND(type, effect) void on(const command::type& c);
#include "core/view/keys/commands.inc"

  ThreadPool& pool_;
  const std::shared_ptr<Settings> settings_;
  Session session_;
  RunState run_;
  SelectionSums sums_;
  SliceColoring coloring_;
  SliceSearch search_;
  SliceFilterState slice_filter_;
  LateAnswers answers_;
  std::deque<Command> waiting_;  ///< commands that come after it, in order
  std::string counting_words_;   ///< the message while a command waits for its answer
  double asked_s_ = 0;
  bool said_counting_ = false;
  std::shared_ptr<const Snapshot> snapshot_;
  TimelineGeometry geometry_;
  LaneState lanes_;
  std::optional<HeatMeasure> lane_order_;
  std::optional<std::uint32_t> ordered_for_;  ///< the step that the lanes' weights are of
  std::optional<LaneSort> lane_sort_;
  std::uint64_t culprit_known_of_ = 0;  ///< the snapshot's generation
  bool untouched_ = true;     ///< nothing was done in the window since something was opened: it may still be arranged
  float lanes_need_px_ = 0;
  bool overview_on_ = true;   ///< first_view's lanes, else the tree
  bool first_sorted_ = false; ///< lanes stand as in a trace that is read to its end
  PanelState panels_;
  TableStates tables_;
  std::uint64_t clocks_of_ = UINT64_MAX;  ///< generation that several_clocks_ is of
  bool several_clocks_ = false;
  std::string lane_complaint_;
  TimelineHalf upper_, lower_;
  std::optional<Split> split_;
  SplitHalf mouse_half_ = SplitHalf::Upper;
  std::array<SplitTitle, 2> split_titles_;
  std::array<const StepSource*, 2> split_steps_{};  ///< the sources in titles_of_.steps
  TitlesOf titles_of_;
  std::uint64_t layout_version_ = 0;
  Palette palette_;
  Selection selection_;
  std::optional<SliceDetails> details_;
  WaitDetails waits_;
  std::uint64_t waits_version_ = 0;
  WaitsOf waits_of_;  ///< the inputs of waits_
  std::optional<WalkedFlow> walked_;  ///< the last arrow that was followed
  MovingView view_;
  Navigation navigation_;
  ViewHistory history_;
  double now_s_ = 0;
  bool fitted_ = true;  ///< the view shows everything: it keeps doing so while more is loaded
  bool fit_next_ = true;  ///< something new was opened
  std::optional<Session::Opened> before_;  ///< shown until the files opened in their place have something to show
  std::optional<double> mouse_t_, chart_t_, next_chart_t_;
  std::optional<LaneLayout::Place> mouse_place_;
  double mouse_y_ = 0;
  float row_steps_ = 0;  ///< of row heights, by the user
  std::optional<Gap> mouse_gap_;
  std::optional<GapDetails> gap_;
  WalkedGaps walked_gaps_;
  TimeFormat time_format_ = TimeFormat::SinceBegin;
  TimeFormat times_seen_ = TimeFormat::SinceBegin;  ///< from the settings
  TimeWords time_words_, lower_words_;
  std::uint64_t time_words_of_ = UINT64_MAX;  ///< generation
  std::optional<StepTime> step_time_, lower_step_;  ///< that times are counted from
  std::vector<std::string> differences_;
  Notes notes_;
  std::uint64_t saved_notes_ = 0;  ///< their version
  std::optional<std::size_t> naming_;
  std::array<std::optional<ShownLook>, kStoredViews> stored_;
  std::optional<ShownState> wanted_;  ///< shown when the open files have been read
  std::string wanted_file_;           ///< where it is from; empty: from no file
  std::string view_file_;
  std::vector<ViewSource> missing_;
  std::string missing_of_;  ///< the view file that names them
  std::vector<std::string> recent_folders_;
  RunsInView runs_in_view_;
  std::set<std::pair<std::string, std::int64_t>> steps_told_;  ///< announced steps, and those there from the start, by run
  std::uint64_t steps_told_of_ = 0;                            ///< generation
  std::uint64_t gap_known_of_ = 0;  ///< for followed files: the generation to which the text about the selected gap belongs
  const bool align_what_opens_;
  bool aligning_ = false;

  bool help_open_ = false, dialog_open_ = false, native_dialogs_ = false, search_open_ = false;
  command::OpenDialog dialog_;
  std::optional<FileQuestion> dialog_question_;
  bool go_to_open_ = false;
  std::string go_to_complaint_;
  CommandUse command_use_;
  WindowRequests requests_;
  std::string notice_;
};

}  // namespace tv
