// The user's requests, as values. Panels and keys push them while a frame is drawn; the app applies them
// between frames. It is the only way in which panels influence each other, so the order in which panels are
// drawn cannot matter.
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
#include "core/view/words/time_words.h"

namespace tv::command {

// files
struct OpenPaths {
  std::vector<std::string> paths;
  bool add = false;      ///< in addition to the open files, instead of replacing them
  bool new_tab = false;  ///< the open files stay as they are, in their own tab
  std::optional<LoadChoice> part = {};  ///< only this of it; none: what the command line says
};
/// Loads only this part of the open files.
struct OpenPart { LoadChoice choice; };
/// Which files? The desktop asks where it can, else the dialog in the window. Where that is open, it goes.
struct OpenDialog {
  bool add = false;
  bool new_tab = false;
  bool folder = false;    ///< instead of files, where one must say which (the desktop's)
  bool built_in = false;  ///< never the desktop's: ours has more choices
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
/// Closes these of the open files, by their paths; all others stay as they are.
struct CloseFiles { std::vector<std::string> paths; };
struct OpenClosed {};  ///< again, those of folders

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

// files again
struct Reload {};
struct Follow { std::optional<bool> on = {}; };  ///< whether changes are read automatically from now on; none: toggles
/// Reads the open files again, with these clock offsets and no others.
struct SetClocks { ClockOffsets offsets; };
/// Reads the open files again, with clocks as recorded or fitted by collective kernels.
struct PlaceClocks {
  PlaceBy by = PlaceBy::Collectives;
};
/// Reads the open files again, with runs aligned this way; none: the next way.
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
  std::string chart = {};     ///< the kind of chart that it is chosen in, if it is
};
/// Adds a slice to the selection, or removes it if it is selected already.
struct AddSlice {
  SliceId slice{};
};
/// All slices between the selected one and this, of the selected one's lane and depth.
struct SelectThrough {
  SliceId slice{};
};
struct SelectSameName {};  ///< all slices of the selected one's name
/// All slices of a name, whatever slice is selected.
struct SelectName {
  LabelId label{};
};
/// Takes a lane, or all in a group, out of the area, or into it.
struct ToggleAreaLane {
  LaneId lane{};
};
struct SelectGap {
  Gap gap;
};
struct GapUnderMouse {};
/// The next shorter gap, or longer one, of the lane that is selected or pointed at; else of all lanes that are shown.
struct NextGap {
  bool shorter = true;
};
struct RangeOfSelection {};  ///< the selected slice's time as an area
struct SelectEverything {};  ///< all there is as an area of all lanes
struct ClearSelection {};    ///< one layer: range, then slice
struct NextSlice {};         ///< on the lane
struct PreviousSlice {};
struct ParentSlice {};
struct ChildSlice {};
struct FollowFlow {
  bool forward = true;
  bool next = false;  ///< to the end of the next arrow of the slice that was followed last
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
  double spans = 0;  ///< in parts of the visible time
};
struct ScrollBy {
  double pixels = 0;
  std::optional<SplitHalf> half = {};  ///< of a split; none: the half that was pointed at last
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
/// All of them; as many steps back lead to where one began.
struct ScaleRows {
  float steps = 1;
};
/// For the lane under the mouse, else for the selection's: compact, normal, tall.
struct CycleRowSize {};
/// For the same lane: shows it only down to the row under the mouse, else the selection's. A cut lane is shown in full again.
struct CutLane {};
/// For a lane, or for all in a group. Auto removes the user's choice.
struct SizeRows {
  LaneId lane{};
  RowSize size = RowSize::Normal;
};
/// For a lane, or for all in a group: only this many levels of the stacks; 0: all.
struct LimitDepth {
  LaneId lane{};
  std::uint32_t levels = 0;
};
struct ResetRows {};  ///< removes the user's choices for every lane
/// Only lanes that this chooses (lane_filter.h).
struct FilterLanes {
  std::string words;
};
/// What to do with some lanes; a group stands for all lanes in it. If none is named: those under the mouse, else those of the area
/// or of the selected slice.
struct ChooseLanes {
  enum class What : std::uint8_t { Pin, Hide, Isolate, ShowAll, Invert } what = What::Pin;
  std::vector<LaneId> lanes = {};
};
struct ToggleOverview {};  ///< between the first view (first_view.h) and all rows of all lanes
/// The groups of the tree.
struct FoldLevels {
  int more = 1;  ///< levels to fold; negative: to open
  std::optional<std::uint32_t> open = {};  ///< or exactly this many open
};
/// Sorts all lanes by a property that can be counted for each; none: as they were.
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
/// Workers by what stands out in the step that is looked at, most first; none: as in the files.
struct OrderLanes {
  std::optional<HeatMeasure> by;
};

/// What the colours of slices stand for; none: the next rule that makes a difference here.
struct ColorSlices {
  std::optional<ColorRule> by;
};

// search
struct OpenSearch {
  bool in_records = false;  ///< in all that the files say of a slice, not only in its name
};
struct Search {
  std::string text;
  bool in_records = false;
};
/// For the open search: capital letters count, the text is an expression, only in the area.
struct ToggleSearch {
  enum class What : std::uint8_t { MatchCase, Regex, InArea } what = What::MatchCase;
};
/// Selects one and brings it so near that it can be read; the next step is from there.
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
/// How times are written; none: the next way that says something here.
struct SetTimeFormat {
  std::optional<TimeFormat> format;
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
/// Slices instead of requests: those of a name that are so long. There is one brush at a time.
struct BrushSlices {
  SliceBrush brush;
  std::string chart;  ///< where
};
struct SelectRequest {
  std::uint32_t request = 0;
  bool fit = true;  ///< zoom to it; else it is brought on the screen
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
/// In any source that numbers its steps.
struct NextStep {
  bool forward = true;
  bool last = false;  ///< at once to the last one, or the first; where nothing has steps, to the end of the time
};
struct GoToWorkerStep {
  std::uint32_t worker_step = 0;
};
/// Among the brushed slices; else among requests, else among the slices of the selected name.
struct NextSlowest {
  bool forward = true;
};
struct ToggleScriptReading {};
/// Only slices for which this holds are counted, all others are dimmed (slice_filter.h); empty: all.
struct FilterSlices {
  std::string expression;
};
/// For charts (chart_controls.h).
struct SetChart {
  std::string setting, value;
};

// marks
struct AddMark {
  std::optional<Ns> t;  ///< none = at the mouse, else at the selection; where one is, it goes
};
struct DeleteMark {};  ///< the mark or measured span nearest to the mouse, of those in sight
struct KeepSpan {};    ///< keeps the area, or the time of the selection, on the timeline as a measured span
/// A note (notes.h), by its index, or the one under the mouse if none is named. To name where there is no note makes a mark.
struct EditNote {
  enum class What : std::uint8_t { AskName, Rename, Recolor, Delete, Restore, GoTo, StopAsking } what = What::AskName;
  std::optional<std::size_t> index = {};
  std::string name = {};
  NoteColor color = NoteColor::Plain;
};
/// One of nine views that are kept under a number.
struct StoredView {
  std::size_t number = 1;  ///< 1 to 9
  bool store = false;      ///< else back to it
};
/// Sources, view and notes into a file (view_file.h).
struct SaveView {
  std::string path = {};  ///< empty: where it was opened or saved before; where it was not, one is asked
  bool ask = false;       ///< in any case: "save as"
};
/// Looks there for files that the opened view file names and that were not found. Without a place, they are not asked for again.
struct LocateSources {
  std::string folder;
};

// all that can be done (command_list.h)
/// A list to choose from by typing. Where it is open, it closes.
struct OpenCommandBox {
  enum class Of : std::uint8_t { Commands, Lanes } of = Of::Commands;
};
struct CloseCommandBox {};
struct ToggleMenus {};
/// One of the list, or a lane, was chosen in whatever way: the last ones come first in the box.
struct NoteCommand {
  std::string id;
};
struct EditKeys {};  ///< shows the file where keys are changed; makes it if there is none
struct SetMouse {
  MousePreset preset = MousePreset::Perfetto;
};
struct SetMouseMode {
  MouseMode mode = MouseMode::Select;
};

// kept from one start to the next: the program around the views does these (core/session/desk/remembered.h)
struct ReopenSession {};
struct OpenSample {};
/// For the list of recently opened files.
struct ChangeRecent {
  enum class What : std::uint8_t { Pin, Unpin, Remove, Clear };
  What what = What::Pin;
  std::vector<std::string> paths;  ///< of the entry; Clear: all entries that are not pinned
};

}  // namespace tv::command

namespace tv {

enum class CommandEffect : std::uint8_t { Arranges, Leaves };

struct Command : WithoutFirst<void
#define TV_COMMAND(type, effect) , command::type
#include "core/view/keys/commands.inc"
                              >::Type {
  using AnyOf::AnyOf;
};

/// Whether lanes and view are not arranged again after such a command, whatever is read meanwhile.
template <class Kind>
inline constexpr bool kArranges = false;
#define TV_COMMAND(type, effect) \
  template <>                    \
  inline constexpr bool kArranges<command::type> = CommandEffect::effect == CommandEffect::Arranges;
#include "core/view/keys/commands.inc"

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

}  // namespace tv
