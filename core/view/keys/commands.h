// The user's requests, as values. Panels and keys push them while a frame is drawn; the app applies them between frames. Panels
// influence each other only by commands, so the order in which panels are drawn cannot matter.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/analysis/rollout/heat_map.h"
#include "core/analysis/statistics/durations.h"
#include "core/base/any_of.h"
#include "core/base/ids.h"
#include "core/base/time.h"
#include "core/query/lane_gaps.h"
#include "core/store/clock/align_runs.h"
#include "core/store/clock/clock_offset.h"
#include "core/store/draft/load_choice.h"
#include "core/view/color/color_rule.h"
#include "core/view/keys/file_choice.h"
#include "core/view/keys/mouse_map.h"
#include "core/view/keys/window_commands.h"
#include "core/view/lanes/lane_order.h"
#include "core/view/lanes/row_heights.h"
#include "core/view/table/table_commands.h"
#include "core/view/timeline/notes.h"
#include "core/view/timeline/split.h"
#include "core/view/words/time_style.h"

namespace tv::command {

// files
struct OpenPaths {
  std::vector<std::string> paths;
  bool add = false;      ///< in addition to the open files, instead of replacing them
  bool new_tab = false;  ///< the open files stay as they are, in their own tab
  std::optional<LoadChoice> part = {};  ///< loads only this part; none: as on the command line
};
/// Loads only this part of the open files.
struct OpenPart { LoadChoice choice; };
/// Asks which files to open, in the desktop's dialog if there is one, else in the window's own. Closes the dialog if it is open.
struct OpenDialog {
  bool add = false;
  bool new_tab = false;
  bool folder = false;    ///< folders instead of files, for desktop dialogs that can only offer one of them
  bool built_in = false;  ///< never the desktop's dialog: ours has more choices
};
/// Asks for a file; the answer is FilesChosen.
struct ChooseFile {
  FileQuestion question;
};
struct FilesChosen {
  FilePurpose purpose = FilePurpose::OpenTraces;
  std::vector<std::string> paths;  ///< empty: the user cancelled
};
struct CloseAll {};
/// Closes the open files with these paths; all others stay as they are.
struct CloseFiles { std::vector<std::string> paths; };
struct OpenClosed {};  ///< reopens closed files of open folders

// tabs (core/session/desk/desk.h), by their ids
struct NewTab {};
struct CloseTab {
  std::optional<std::uint64_t> tab = {};  ///< none: the current tab
};
struct NextTab { bool forward = true; };
struct ReopenTab {};  ///< opens the tab that was closed last, as it was
struct GoToTab { std::uint64_t tab = 0; };
struct MoveTab {
  std::uint64_t tab = 0;
  std::size_t place = 0;
};

// reads the files again
struct Reload {};
struct Follow { std::optional<bool> on = {}; };  ///< whether changes are read automatically from now on; none: toggles
/// Reads the open files again, with exactly these clock offsets.
struct SetClocks { ClockOffsets offsets; };
/// Reads the open files again, with clocks as recorded or fitted by collective kernels.
struct PlaceClocks {
  PlaceBy by = PlaceBy::Collectives;
};
/// Reads the open files again, with runs aligned this way; none: the next alignment.
struct AlignRuns {
  std::optional<Align> align;
};
struct AlignClocks {};  ///< aligns clocks by the barriers of a rollout, as soon as it is available
struct CancelLoading {};

// selection
struct SelectSlice {
  SliceId slice{};
  bool reveal = true;  ///< scroll and pan to it, expand what hides it
};
struct SelectRange {
  TimeRange range;
  std::vector<LaneId> lanes;  ///< empty = all
  std::string chart = {};     ///< the kind of chart that the area is selected in; empty: none
};
/// Adds a slice to the selection, or removes it if it is selected already.
struct AddSlice {
  SliceId slice{};
};
/// Selects all slices between the selected one and this one, on the selected one's lane and depth.
struct SelectThrough {
  SliceId slice{};
};
struct SelectSameName {};  ///< selects all slices with the selected one's name
/// Selects all slices with a name, whatever slice is selected.
struct SelectName {
  LabelId label{};
};
/// Toggles whether a lane, or a whole group, is part of the area.
struct ToggleAreaLane {
  LaneId lane{};
};
struct SelectGap {
  Gap gap;
};
struct GapUnderMouse {};
/// Selects the next shorter or longer gap of the lane that is selected or pointed at, else of all lanes shown.
struct NextGap {
  bool shorter = true;
};
struct RangeOfSelection {};  ///< selects the selected slice's time as an area
struct SelectEverything {};  ///< selects the whole trace as an area of all lanes
struct ClearSelection {};    ///< one layer per call: boxes, search, brush, area, name, slices
struct NextSlice {};         ///< on the lane
struct PreviousSlice {};
struct ParentSlice {};
struct ChildSlice {};
struct FollowFlow {
  bool forward = true;
  bool next = false;  ///< takes the next arrow of the slice that the last step started from
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
  double spans = 0;  ///< as a share of the visible time
};
struct ScrollBy {
  double pixels = 0;
  std::optional<SplitHalf> half = {};  ///< half of a split view; none: the half that was pointed at last
};
/// Moves at once, without gliding: a dragged point stays under the mouse.
struct ShowTime {
  double begin = 0, span = 0;
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
/// Scales all rows; the same number of steps back restores the size.
struct ScaleRows {
  float steps = 1;
};
/// Cycles the row size of the lane under the mouse, else of the selection's lane: compact, normal, tall.
struct CycleRowSize {};
/// Hides a lane's rows below the mouse, else below the selection. If the lane is cut already, shows all of its rows again.
struct CutLane {};
/// Sets the row size of a lane, or of all lanes in a group. Auto removes the user's choice.
struct SizeRows {
  LaneId lane{};
  RowSize size = RowSize::Normal;
};
/// Shows only this many levels of a lane's stacks, or of all lanes in a group; 0: all.
struct LimitDepth {
  LaneId lane{};
  std::uint32_t levels = 0;
};
struct ResetRows {};  ///< removes the user's choices for every lane
/// Shows only lanes that match (lane_filter.h).
struct FilterLanes {
  std::string words;
};
/// What to do with some lanes; a group stands for all lanes in it. Without `lanes`: the lane under the mouse, else those of the
/// area or of the selected slice.
struct ChooseLanes {
  enum class What : std::uint8_t { Pin, Hide, Isolate, ShowAll, Invert } what = What::Pin;
  std::vector<LaneId> lanes = {};
};
struct ToggleOverview {};  ///< toggles between the first view (first_view.h) and all rows of all lanes
/// Folds or opens the groups of the tree.
struct FoldLevels {
  int more = 1;  ///< number of levels to fold; negative: to open
  std::optional<std::uint32_t> open = {};  ///< if set: opens exactly this many levels instead
};
/// Sorts all lanes by a property of each lane; none: the original order.
struct SortLanes {
  std::optional<LaneSort> by;
};
struct DragLane {
  LaneId lane{};
  LaneId before = kNone<LaneId>;  ///< none: after all its siblings
};
struct ScrollToLane { LaneId lane{}; };
/// Scrolls to a lane, and opens the groups around it.
struct RevealLane {
  LaneId lane{};
};
/// Sorts workers by a measure of the current step, highest first; none: as in the files.
struct OrderLanes {
  std::optional<HeatMeasure> by;
};

/// Selects the colour rule for slices; none: the next rule that makes a difference here.
struct ColorSlices {
  std::optional<ColorRule> by;
};

// search
struct OpenSearch {
  bool in_records = false;  ///< searches all data of a slice in the files, not only its name
};
struct Search {
  std::string text;
  bool in_records = false;
  bool is_name = false;  ///< the text comes from the data: it is not a regular expression, whatever the open search is set to
};
/// Options of the open search: match case, regular expression, only within the area.
struct ToggleSearch {
  enum class What : std::uint8_t { MatchCase, Regex, InArea } what = What::MatchCase;
};
/// Selects a hit and zooms in until it is readable; the next step continues from there.
struct GoToHit {
  SliceId slice{};
};
struct NextHit {
  bool forward = true;
};

// going to places
struct OpenGoTo {};
/// A time, a step, a rank or lane, a request: go_to.h.
struct GoTo {
  std::string text;
};
/// How times are written; none: the next format that is useful here.
struct SetTimeFormat {
  std::optional<TimeFormat> format;
};

// requests of a rollout; numbers are those of the current analysis
/// Adds a chip: shows only requests that also match this expression (request_filter.h).
struct FilterRequests {
  std::string expression;
};
struct RemoveFilter {
  std::size_t index = 0;
};
/// One more filter while a chart is brushed; empty: removes the brush.
struct BrushRequests {
  std::string expression;
  std::string chart;  ///< the brushed chart
};
/// Brushes slices instead of requests: those of a name with a duration in a range. There is one brush at a time.
struct BrushSlices {
  SliceBrush brush;
  std::string chart;  ///< the brushed chart
};
struct SelectRequest {
  std::uint32_t request = 0;
  bool fit = true;  ///< zooms to it; else only scrolls it into view
};
struct GoToStep {
  std::uint32_t step = 0;
};
/// In a training log: a line of metrics, by its index in MetricLog::steps.
struct GoToTrainingStep {
  std::uint32_t line = 0;
};
/// In the source whose steps the strip shows (Workspace::step_source), if that is neither a rollout nor a training log.
struct GoToMarkedStep {
  std::uint32_t step = 0;
};
/// The next step, in any source that numbers its steps.
struct NextStep {
  bool forward = true;
  bool last = false;  ///< jumps to the last or first step; without steps, to the end of the time
};
struct GoToWorkerStep {
  std::uint32_t worker_step = 0;
};
/// Steps through the slowest of the brushed slices; else of the requests; else of the slices with the selected name.
struct NextSlowest {
  bool forward = true;
};
struct ToggleScriptReading {};
/// Counts only slices that match, and dims all others (slice_filter.h); empty: all.
struct FilterSlices {
  std::string expression;
};
/// Sets a chart setting (chart_controls.h).
struct SetChart {
  std::string setting, value;
};

// marks
struct AddMark {
  std::optional<Ns> t;  ///< none = at the mouse, else at the selection; removes an unnamed mark that is already there
};
struct DeleteMark {};  ///< the mark or measured span in sight that is nearest to the mouse
struct KeepSpan {};    ///< keeps the area, or the time of the selection, on the timeline as a measured span
/// Edits the note (notes.h) with this index. AskName without an index takes the note under the mouse, or creates a mark there.
struct EditNote {
  enum class What : std::uint8_t { AskName, Rename, Recolor, Delete, Restore, GoTo, StopAsking } what = What::AskName;
  std::optional<std::size_t> index = {};
  std::string name = {};
  NoteColor color = NoteColor::Plain;
};
/// One of nine views that are stored under a number.
struct StoredView {
  std::size_t number = 1;  ///< 1 to 9
  bool store = false;      ///< stores the current view; else restores the stored one
};
/// Saves sources, view and notes to a file (view_file.h).
struct SaveView {
  std::string path = {};  ///< empty: the file that was opened or saved last; asks if there is none
  bool ask = false;       ///< always asks: "save as"
};
/// Searches this folder for files of the view file that were not found, and opens them. Empty: stops asking for them.
struct LocateSources {
  std::string folder;
};

// the list of all commands (command_list.h)
/// Opens a list to choose from by typing, or closes it if it is open.
struct OpenCommandBox {
  enum class Of : std::uint8_t { Commands, Lanes } of = Of::Commands;
};
struct CloseCommandBox {};
struct ToggleMenus {};
/// Records that a list entry or a lane was chosen, because the box lists recent ones first.
struct NoteCommand {
  std::string id;
};
struct EditKeys {};  ///< shows the file with the user's keys; creates it if necessary
struct SetMouse {
  MousePreset preset = MousePreset::Perfetto;
};
struct SetMouseMode {
  MouseMode mode = MouseMode::Select;
};

// These need state that persists across starts, so they are executed outside of the workspace (core/session/desk/user_state.h).
struct ReopenSession {};
struct OpenSample {};
/// Changes the list of recently opened files.
struct ChangeRecent {
  enum class What : std::uint8_t { Pin, Unpin, Remove, Clear };
  What what = What::Pin;
  std::vector<std::string> paths;  ///< identify the entry; unused by Clear, which removes all that are not pinned
};

}  // namespace tv::command

namespace tv {

enum class CommandEffect : std::uint8_t { Arranges, Leaves };
enum class CommandOrder : std::uint8_t { InTurn, AtOnce };

struct Command : WithoutFirst<void
#define TV_COMMAND(type, effect, when) , command::type
#include "core/view/keys/commands.inc"
                              >::Type {
  using AnyOf::AnyOf;
};

/// Whether the user arranges lanes or the view with this command. Data that are read later then do not rearrange them.
template <class Kind>
inline constexpr bool kArranges = false;
/// Whether it waits for earlier commands that are still looking for something in the background.
template <class Kind>
inline constexpr bool kInTurn = false;
#define TV_COMMAND(type, effect, when)                                                               \
  template <>                                                                                        \
  inline constexpr bool kArranges<command::type> = CommandEffect::effect == CommandEffect::Arranges; \
  template <>                                                                                        \
  inline constexpr bool kInTurn<command::type> = CommandOrder::when == CommandOrder::InTurn;
#include "core/view/keys/commands.inc"

class CommandQueue {
 public:
  void push(Command command) { commands_.push_back(std::move(command)); }
  /// Everything pushed so far, in order; commands that are pushed while these are applied wait for the next frame.
  std::vector<Command> take() { return std::exchange(commands_, {}); }
  bool empty() const { return commands_.empty(); }

 private:
  std::vector<Command> commands_;
};

}  // namespace tv
