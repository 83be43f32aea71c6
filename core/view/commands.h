// What the user wants, as values. Panels and keys push them while a frame is drawn; the app applies them
// between frames. It is the only way in which panels influence each other, so the order in which panels are
// drawn cannot matter.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/analysis/heat_map.h"
#include "core/base/ids.h"
#include "core/base/time.h"
#include "core/store/align_runs.h"
#include "core/store/clock_offset.h"
#include "core/store/load_choice.h"

namespace tv::command {

// files
struct OpenPaths {
  std::vector<std::string> paths;
  bool add = false;  ///< beside what is open, instead of replacing it
};
/// What is open, but only this part of it.
struct OpenPart {
  LoadChoice choice;
};
struct OpenDialog {
  bool add = false;
};
struct CloseAll {};
struct Reload {};
/// Reads what is open again, with these offsets of files' clocks and no others.
struct SetClocks {
  ClockOffsets offsets;
};
/// Likewise, with clocks as recorded or moved by what NCCL kernels say.
struct PlaceClocks {
  PlaceBy by = PlaceBy::Collectives;
};
/// Likewise, with runs beside each other so; none: the next way that there is.
struct AlignRuns {
  std::optional<Align> align;
};
struct AlignClocks {};  ///< by the barriers of a rollout, as soon as it is there
struct CancelLoading {};

// selection
struct SelectSlice {
  SliceId slice{};
  bool reveal = true;  ///< scroll and pan to it, expand what hides it
};
struct SelectRange {
  TimeRange range;
  std::vector<LaneId> lanes;  ///< empty = all
};
struct RangeOfSelection {};  ///< the selected slice's time as an area
struct ClearSelection {};    ///< one layer: range, then slice
struct NextSlice {};         ///< on the lane
struct PreviousSlice {};
struct ParentSlice {};
struct ChildSlice {};
struct FollowFlow {
  bool forward = true;
};

// view
struct FitAll {};
struct FitSelection {};
struct ZoomTo {
  TimeRange range;
};
struct ZoomBy {
  double factor = 1;      ///< < 1 zooms in
  double anchor01 = 0.5;
};
struct PanBy {
  double spans = 0;  ///< of the visible time
};
struct ScrollBy {
  double pixels = 0;
};
struct Back {};
struct Forward {};

// lanes
struct ToggleLane {
  LaneId lane{};
};
struct CollapseAll {
  bool collapsed = true;
};
struct ScaleRows {
  float factor = 1;
};
/// Only lanes with these words in their path (LaneState::filter).
struct FilterLanes {
  std::string words;
};
/// Workers by what stands out in the step that is looked at, most first; none: as in the files.
struct OrderLanes {
  std::optional<HeatMeasure> by;
};

// search
struct OpenSearch {
  bool in_records = false;  ///< in all that the files say of a slice, not only in its name
};
struct Search {
  std::string text;
  bool in_records = false;
};
struct NextHit {
  bool forward = true;
};

// requests of a rollout; numbers are those of the analysis that is shown
/// Only requests for which this holds too (request_filter.h): a chip.
struct FilterRequests {
  std::string expression;
};
struct RemoveFilter {
  std::size_t index = 0;
};
/// The same while a chart is brushed; empty: no more.
struct BrushRequests {
  std::string expression;
  std::string chart;  ///< where
};
struct SelectRequest {
  std::uint32_t request = 0;
  bool fit = true;  ///< zoom to it; else it is brought on the screen
};
struct GoToStep {
  std::uint32_t step = 0;
};
/// Of a training log: a line of metrics, by its index in MetricLog::steps.
struct GoToTrainingStep {
  std::uint32_t line = 0;
};
struct NextStep {
  bool forward = true;
};
struct GoToWorkerStep {
  std::uint32_t worker_step = 0;
};
struct NextSlowest {
  bool forward = true;
};
struct ToggleScriptReading {};
/// Of charts (chart_controls.h).
struct SetChart {
  std::string setting, value;
};

// marks
struct AddMark {
  std::optional<Ns> t;  ///< none = at the selection, else at the mouse
};
struct DeleteMark {};

// window
/// A part of the window, in its units, from its upper left corner.
struct ScreenArea {
  float x = 0, y = 0, width = 0, height = 0;
};
struct TogglePanel {
  std::string id;
};
struct ToggleHelp {};
struct ToggleTheme {};
struct ToggleFullScreen {};
struct ScaleInterface {
  float factor = 1;  ///< 0 = back to the default
};
struct Screenshot {
  std::string path;                ///< empty = a new file in the pictures folder
  std::string name = "traceview";  ///< which then begins with this
  ScreenArea area = {};            ///< empty = all of the window
};
struct CopyText {
  std::string text;  ///< empty = what is selected, in words
};
/// Into a new file in the pictures folder.
struct SaveText {
  std::string name;  ///< with its ending: "request_cdf.svg"
  std::string text;
};
struct Quit {};

}  // namespace tv::command

namespace tv {

using Command =
    std::variant<command::OpenPaths, command::OpenPart, command::OpenDialog, command::CloseAll, command::Reload,
                 command::SetClocks, command::PlaceClocks, command::AlignRuns, command::AlignClocks, command::CancelLoading, command::SelectSlice, command::SelectRange,
                 command::RangeOfSelection, command::ClearSelection, command::NextSlice,
                 command::PreviousSlice, command::ParentSlice, command::ChildSlice, command::FollowFlow,
                 command::FitAll, command::FitSelection, command::ZoomTo, command::ZoomBy, command::PanBy,
                 command::ScrollBy, command::Back, command::Forward, command::ToggleLane,
                 command::CollapseAll, command::ScaleRows, command::FilterLanes, command::OrderLanes, command::OpenSearch, command::Search,
                 command::NextHit, command::FilterRequests, command::RemoveFilter, command::BrushRequests,
                 command::SelectRequest, command::GoToStep, command::GoToTrainingStep, command::NextStep, command::GoToWorkerStep,
                 command::NextSlowest, command::ToggleScriptReading, command::SetChart, command::AddMark, command::DeleteMark, command::TogglePanel,
                 command::ToggleHelp, command::ToggleTheme, command::ToggleFullScreen,
                 command::ScaleInterface, command::Screenshot, command::CopyText, command::SaveText, command::Quit>;

class CommandQueue {
 public:
  void push(Command command) { commands_.push_back(std::move(command)); }
  /// Everything pushed so far, in order; commands that are pushed while these are applied wait for the next
  /// frame.
  std::vector<Command> take() { return std::exchange(commands_, {}); }
  bool empty() const { return commands_.empty(); }

 private:
  std::vector<Command> commands_;
};

/// Calls the one of several lambdas that takes the command's type: std::visit(Overloaded{...}, command).
template <class... Fs>
struct Overloaded : Fs... {
  using Fs::operator()...;
};
template <class... Fs>
Overloaded(Fs...) -> Overloaded<Fs...>;

}  // namespace tv
