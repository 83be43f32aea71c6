// Everything the window is about, without a window: what is open, which part of it is shown, what is selected. Panels read
// it and push commands; the app applies them here between frames. Tests and scripts do the same.
//
//   frame:  begin_frame(dt)  ->  panels read, push commands  ->  apply(command) for each  ->  take_requests()
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/analysis/align_advice.h"
#include "core/query/hit_spread.h"
#include "core/query/search.h"
#include "core/session/run_state.h"
#include "core/session/session.h"
#include "core/view/commands.h"
#include "core/view/lane_layout.h"
#include "core/view/navigation.h"
#include "core/view/palette.h"
#include "core/view/selection.h"
#include "core/view/slice_details.h"
#include "core/view/view_history.h"
#include "core/view/viewport.h"

namespace tv {

/// What applying commands asks of the window itself.
struct WindowRequests {
  std::vector<command::Screenshot> screenshots;
  std::vector<command::SaveText> files;
  std::vector<std::string> copies;       ///< texts for the clipboard
  bool quit = false, toggle_full_screen = false;
};

/// The lanes' part of the window, in pixels.
struct TimelineGeometry {
  float width_px = 1000, height_px = 600;
  LaneMetrics metrics;
  bool operator==(const TimelineGeometry&) const = default;
};

class Workspace {
 public:
  Workspace(ThreadPool& pool, std::function<void()> wake, LoadOptions options = {});

  /// Takes over the newest snapshot and moves what moves. `now_s`: any clock that does not go back.
  void begin_frame(double dt_s, double now_s, const TimelineGeometry& geometry);
  void navigate(const HeldKeys& keys, double dt_s, double anchor01);
  void apply(const Command& command);
  WindowRequests take_requests() { return std::exchange(requests_, {}); }
  /// Where the mouse is, for commands that act there.
  void set_mouse(std::optional<double> t, SliceId hovered);

  Session& session() { return session_; }
  const Session& session() const { return session_; }
  ThreadPool& pool() { return pool_; }
  RunState& run() { return run_; }
  const RunState& run() const { return run_; }

  const Snapshot& snapshot() const { return *snapshot_; }
  std::shared_ptr<const Snapshot> shared_snapshot() const { return snapshot_; }
  const Trace& trace() const { return *snapshot_->trace; }
  const Viewport& view() const { return view_.current; }
  const LaneLayout& layout() const { return layout_; }
  /// Changes whenever the layout does: what is drawn from it can be kept meanwhile.
  std::uint64_t layout_version() const { return layout_version_; }
  const Palette& palette() const { return palette_; }
  const Selection& selection() const { return selection_; }
  const SliceDetails* details() const { return details_ ? &*details_ : nullptr; }
  double scroll_y() const { return scroll_y_; }
  const std::string& lane_filter() const { return lanes_.filter; }
  std::optional<HeatMeasure> lane_order() const { return lane_order_; }
  const std::vector<Ns>& marks() const { return marks_; }  ///< relative to the trace's origin, sorted
  TimeRange limits() const;
  /// How runs lie beside each other in what is shown.
  const RunsInView& runs_in_view() const { return runs_in_view_; }
  bool moving() const { return view_.moving() || scroll_target_ != scroll_y_; }
  bool anything_open() const { return !session_.paths().empty(); }
  /// Clocks are to be aligned by barriers, once the rollout is there.
  bool aligning() const { return aligning_; }

  ThemeKind theme() const { return theme_; }
  void set_theme(ThemeKind kind);
  float interface_scale() const { return interface_scale_; }
  bool drawer_open() const { return drawer_open_; }
  /// Which panel the drawer shows, by the id of the panel table.
  const std::string& drawer_panel() const { return drawer_panel_; }
  bool help_open() const { return help_open_; }
  bool dialog_open() const { return dialog_open_; }
  bool dialog_adds() const { return dialog_adds_; }
  bool search_open() const { return search_open_; }
  const std::string& search_text() const { return search_text_; }
  bool search_in_records() const { return search_in_records_; }
  /// Of what has been searched so far.
  const HitSpread& search_hits() const { return hits_; }
  const LabelSet& search_labels() const { return search_labels_; }

 private:
  void adopt(std::shared_ptr<const Snapshot> snapshot);
  void align_clocks();
  void relayout();
  void order_lanes();
  void visit() { history_.visit({view_.target, run_.chips()}, now_s_); }
  void return_to(const std::optional<Visit>& visit);
  void go(const Viewport& target);
  void return_to(const Viewport& target);  ///< like go, without a new step in the history
  void select(SliceId slice, bool reveal);
  void reveal(SliceId slice);
  void scroll_to(double y);
  void step_selection(std::optional<SliceId> next);
  void follow_flow(bool forward);
  void select_request(RequestIx request, bool fit_it);
  void go_to_step(std::uint32_t step);
  void go_to_training_step(std::uint32_t line);
  void set_chart(const std::string& setting, const std::string& value);
  void go_to_worker_step(std::uint32_t worker_step);
  void fit_slice(SliceId slice);
  void search(const std::string& text, bool in_records);
  void next_hit(bool forward);
  void add_mark(std::optional<Ns> t);
  void delete_mark();
  void toggle_panel(const std::string& id);
  std::string selection_text() const;
  double clamped_scroll(double y) const;

  ThreadPool& pool_;
  Session session_;
  RunState run_;
  std::shared_ptr<const Snapshot> snapshot_;
  TimelineGeometry geometry_;
  LaneState lanes_;
  std::optional<HeatMeasure> lane_order_;
  std::optional<std::uint32_t> ordered_for_;  ///< the step that the lanes' weights are of
  LaneLayout layout_;
  std::uint64_t layout_version_ = 0;
  Palette palette_;
  Selection selection_;
  std::optional<SliceDetails> details_;
  MovingView view_;
  Navigation navigation_;
  ViewHistory history_;
  double scroll_y_ = 0, scroll_target_ = 0;
  double now_s_ = 0;
  bool fitted_ = true;  ///< the view shows everything: it keeps doing so while more is loaded
  bool fit_next_ = true;  ///< something new was opened
  std::optional<double> mouse_t_;
  std::vector<Ns> marks_;
  RunsInView runs_in_view_;
  const bool align_what_opens_;
  bool aligning_ = false;

  ThemeKind theme_ = ThemeKind::Dark;
  float interface_scale_ = 1;
  bool drawer_open_ = true, help_open_ = false, dialog_open_ = false, dialog_adds_ = false, search_open_ = false;
  std::string drawer_panel_ = "details";
  std::string search_text_;
  LabelSet search_labels_;
  HitSpread hits_;
  bool search_in_records_ = false;
  WindowRequests requests_;
};

}  // namespace tv
