// The window's state of a run: its analyses, made in the background for each snapshot; the selected requests of a rollout; the
// current step, worker and request; the charts of open panels. Requests are selected by chips (expressions that must all hold),
// by a brush (one more expression while a chart is brushed) and by the area on the timeline. Only the UI thread calls it.
//
// A brushed chart shows what it would show without the brush; all others show what the brush leaves. Charts of one step show the
// current step. Once an area or a brush has singled out requests, or chips leave none of this step, these charts show the
// selected requests of any step. Only ask() decides this.
// Instead of requests, slices of one name can be brushed, by their length. They are found in the background, and highlighted on
// the timeline. The name stays the same as long as slices are brushed, whatever is selected.
// Cost per frame: nothing, unless the selection changed: then 2 to 5 ns per request and comparison.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/analysis/clocks/barrier_clock.h"
#include "core/analysis/filter/request_filter.h"
#include "core/analysis/findings/findings.h"
#include "core/analysis/gpu/gpu_marks.h"
#include "core/analysis/rollout/blame.h"
#include "core/analysis/run/run_data.h"
#include "core/analysis/statistics/durations.h"
#include "core/base/threads/async_memo.h"
#include "core/index/snapshot.h"
#include "core/view/charts/chart_kinds.h"
#include "core/view/details/selection.h"

namespace tv {

class RunState {
 public:
  RunState(ThreadPool& pool, std::function<void()> wake);

  /// Call once per frame: takes over the newest analysis, and the selection on the timeline.
  void follow(const std::shared_ptr<const Snapshot>& snapshot, const Selection& selection);

  /// Null, like training(): there is none, or it is not ready yet.
  const Rollout* rollout() const { return data_.rollout.get(); }
  const Training* training() const { return data_.training.get(); }
  const RunData& data() const { return data_; }
  bool pending() const { return pending_; }  ///< the analysis of the newest snapshot is not ready yet
  /// Marks of data().gpu, by the communication rules of the charts. Null: there are none, or they are not ready yet.
  const std::shared_ptr<const GpuMarks>& gpu_marks() const { return gpu_marks_; }
  /// Something is still being computed.
  bool busy() const;
  const std::vector<std::string>& chips() const { return chips_; }
  const std::string& brush() const { return brush_; }  ///< for requests
  const std::optional<SliceBrush>& slice_brush() const { return slice_brush_; }
  bool brushed() const { return !brush_.empty() || slice_brush_; }
  /// The chart in which requests or slices are brushed.
  const std::string& brushed_chart() const { return brushed_chart_; }
  /// The slices of slice_brush(), or those of the previous brush while the new ones are being found. Null: no slices are brushed,
  /// or they are not known yet.
  std::shared_ptr<const BrushedSlices> brushed_slices();
  /// The name that charts of slices are about, in data().trace. None: no slice or name is selected.
  const std::optional<LabelId>& label() const { return label_; }
  /// Why the last expression was not understood; empty if it was.
  const std::string& complaint() const { return complaint_; }
  /// The question that charts answer; its requests are the selected ones.
  const ChartQuestion& question() const { return question_; }
  /// The scope of charts of one step, in words: "step 14, worker 0, of the selected request", "steps 1 and 2, in 3 s of 5 lanes".
  const std::string& shown() const { return shown_; }
  /// All requests are selected.
  bool everything() const { return data_.rollout && question_.requests.size() == data_.rollout->size(); }
  /// Changes whenever the question does.
  std::uint64_t version() const { return asked_.version; }
  /// Who held the barrier, over the whole run.
  const BlameLedger& ledger() const { return ledger_; }
  /// Whether the workers' clocks agree; has no workers when rollout() is null.
  const BarrierClocks& clocks() const { return clocks_; }

  /// Findings, the worst first. Empty while they are unknown, or if there are none. Made on demand, for complete traces.
  std::span<const Finding> findings();

  void add_chip(const std::string& expression);
  void remove_chip(std::size_t index);
  /// Restores earlier chips (view_history.h).
  void set_chips(std::vector<std::string> chips);
  /// Removes chips and brush.
  void select_everything();
  /// `chart`: the chart that is brushed. An empty expression removes the brush.
  void set_brush(const std::string& expression, const std::string& chart);
  void set_slice_brush(const SliceBrush& brush, const std::string& chart);
  void clear_brush();
  void look_at_step(std::uint32_t step);
  /// Makes the step with this number in training logs the current one.
  void look_at_training_step(std::int64_t step);
  void look_at_worker_step(std::uint32_t worker_step);
  void look_at_request(RequestIx request);
  void toggle_script_reading();
  /// For charts: chart_controls.h.
  void set_chart(const std::string& setting, const std::string& value);

  /// Returns a function that finds the next slowest of the brushed slices or, without a rollout, of the slices named label(). It
  /// runs on any thread, in O(slices). Empty if nothing is brushed or named.
  std::function<std::optional<SliceId>()> slowest_slice_after(SliceId from, bool forward);
  /// The next of the selected requests by length, from the current one; the longest if there is no current one.
  std::optional<RequestIx> next_slowest(bool forward) const;
  /// For a barrier wait, the request that was waited for; for a request, the longest wait for it.
  std::optional<SliceId> across_barrier(SliceId slice) const;
  /// Arrows from barrier waits to the request that was waited for: for one wait, or for all waits of a request.
  std::vector<Flow> barrier_arrows(SliceId slice) const;

  struct Charts {
    std::shared_ptr<const std::vector<Chart>> charts;  ///< null: none yet
    bool fresh = false;         ///< they answer the present question
    std::uint64_t version = 0;  ///< differs between any two contents
  };
  Charts charts(const ChartKind& kind);

 private:
  // All analyses of a snapshot.
  struct Made {
    RunData data;
    BlameLedger ledger;
    BarrierClocks clocks;
  };
  struct ChartKey {
    RunData data;
    std::uint64_t version = 0;
    bool operator==(const ChartKey&) const = default;
  };
  struct MadeCharts {
    std::vector<Chart> charts;
    std::uint64_t version = 0;
  };
  // A question, with a version that changes when the question or its data change.
  struct Asked {
    std::shared_ptr<const ChartQuestion> question;
    std::uint64_t version = 0;
  };
  struct BrushKey {
    std::uint64_t generation = 0;
    std::optional<Scope> area;
    SliceBrush brush;
    bool operator==(const BrushKey&) const = default;
  };
  // The durations of a name's slices in an area, and the brushed ones among these slices.
  struct Brushed {
    std::uint64_t generation = 0;
    std::optional<Scope> area;
    std::shared_ptr<const Durations> durations;
    std::shared_ptr<const BrushedSlices> slices;
  };
  struct ChartMemo {
    explicit ChartMemo(ThreadPool& pool, const std::function<void()>& wake) : memo(pool, wake) {}
    AsyncMemo<ChartKey, MadeCharts> memo;
  };

  struct MarksKey {
    std::shared_ptr<const GpuActivity> gpu;
    std::shared_ptr<const std::vector<StepSource>> steps;
    std::string rules;
    bool operator==(const MarksKey&) const = default;
  };

  void adopt(const Made& made);
  void follow_gpu_marks();
  void follow_label(const Selection& selection);
  void carry_label(const Trace* before);
  void ask_about_label();
  void update_question(Asked& asked, ChartQuestion question);
  void select_again();
  void look_at_line_of(SliceId slice);
  void look_at_no_request();
  RequestSet within_area(const RequestSet& among);
  void ask(ChartQuestion& question, bool singled_out) const;
  std::optional<std::uint32_t> step_of_area() const;
  std::vector<SliceId> slices_of(std::span<const BarrierWait> waits) const;  ///< kNone: there is no slice

  ThreadPool& pool_;
  std::function<void()> wake_;
  AsyncMemo<std::uint64_t, Made> memo_;
  AsyncMemo<RunData, std::vector<Finding>> findings_memo_;
  std::shared_ptr<const std::vector<Finding>> findings_;
  bool complete_ = false;  ///< data_ is of a complete trace
  AsyncMemo<MarksKey, std::shared_ptr<const GpuMarks>> marks_memo_;
  AsyncMemo<BrushKey, Brushed> brushed_;
  std::shared_ptr<const Brushed> last_brushed_;  ///< its durations are reused for the next brush of the same name
  std::vector<std::unique_ptr<ChartMemo>> kinds_;  ///< in the order of chart_kinds()

  RunData data_;
  std::shared_ptr<const GpuMarks> gpu_marks_;
  std::shared_ptr<const GpuMarks> earlier_marks_;  ///< of the last view, until there are new ones
  MarksKey marks_of_;  ///< the inputs of gpu_marks_
  std::uint64_t generation_ = 0;
  bool pending_ = false;
  BlameLedger ledger_;
  BarrierClocks clocks_;
  std::vector<std::string> chips_;
  std::string brush_, brushed_chart_, complaint_;
  std::optional<SliceBrush> slice_brush_;  ///< while set, brush_ is empty
  std::optional<LabelId> label_;
  std::optional<Scope> area_;
  std::string area_made_in_;  ///< Selection::made_in
  std::string shown_;
  SliceId selected_ = kNone<SliceId>;
  SliceId selected_line_ = kNone<SliceId>;  ///< the selected slice when look_at_line_of() was last called
  ChartQuestion question_;
  Asked asked_, unbrushed_;  ///< question_ with its scope (ask()): with and without the brush
  Asked of_all_;             ///< with all requests, for charts that ignore the selection
  Asked of_name_;            ///< with only the area and the name, for charts of slices
  Asked plain_;              ///< without the area, for the chart in which the area was chosen
  std::uint64_t versions_ = 0;
};

}  // namespace tv
