#include "core/view/keys/keymap.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <utility>
#include <vector>

namespace tv {
namespace {

constexpr Chord plain(Key key) { return {key, kNoModifier}; }
constexpr Chord ctrl(Key key) { return {key, kCtrl}; }
constexpr Chord shift(Key key) { return {key, kShift}; }
constexpr Chord alt(Key key) { return {key, kAlt}; }
constexpr Chord ctrl_shift(Key key) { return {key, kCtrl | kShift}; }

constexpr double kFarther = 1e12;  // pixels, than any lane is
constexpr bool kHeld = true, kPhysical = true;

// One line per action, in the order of the enum.
// clang-format off
constexpr Binding kBindings[] = {
    {Action::ZoomIn, "view.zoom_in", "Zoom in at the mouse", "Move", plain(Key::W), {}, kHeld, kPhysical},
    {Action::ZoomOut, "view.zoom_out", "Zoom out", "Move", plain(Key::S), {}, kHeld, kPhysical},
    {Action::PanLeft, "view.pan_left", "Earlier", "Move", plain(Key::A), plain(Key::Left), kHeld, kPhysical},
    {Action::PanRight, "view.pan_right", "Later", "Move", plain(Key::D), plain(Key::Right), kHeld, kPhysical},
    {Action::ScrollUp, "view.scroll_up", "Scroll up", "Move", plain(Key::Up)},
    {Action::ScrollDown, "view.scroll_down", "Scroll down", "Move", plain(Key::Down)},
    {Action::PageUp, "view.page_up", "Scroll up a page", "Move", plain(Key::PageUp)},
    {Action::PageDown, "view.page_down", "Scroll down a page", "Move", plain(Key::PageDown)},
    {Action::FirstLane, "view.first_lane", "To the first lane", "Move", ctrl(Key::Home)},
    {Action::LastLane, "view.last_lane", "To the last lane", "Move", ctrl(Key::End)},
    {Action::FitAll, "view.fit_all", "Fit everything", "Move", plain(Key::Digit0), plain(Key::Home)},
    {Action::FitSelection, "view.fit_selection", "Fit the selection", "Move", plain(Key::F), plain(Key::Z)},
    {Action::Back, "view.back", "Back to the last view", "Move", plain(Key::Backspace), alt(Key::Left)},
    {Action::Forward, "view.forward", "Forward", "Move", alt(Key::Right)},
    {Action::OpenGoTo, "view.go_to", "Go to a time, step, rank or request", "Move", plain(Key::Colon), ctrl(Key::G)},
    {Action::NextTimeFormat, "view.time_format", "Change the time format (wall clock, in the step)", "Move", plain(Key::T)},
    {Action::NextAlign, "view.next_align", "Lay out runs as recorded, each from 0, or without the idle time between them", "Move", plain(Key::O)},
    {Action::ToggleSplit, "view.split", "Two timelines above each other (runs, steps, two slices), or one again", "Move", plain(Key::V)},

    {Action::NextSlice, "select.next", "Next on the lane", "Select", plain(Key::Period)},
    {Action::PreviousSlice, "select.previous", "Previous on the lane", "Select", plain(Key::Comma)},
    {Action::ParentSlice, "select.parent", "Parent", "Select", shift(Key::Up)},
    {Action::ChildSlice, "select.child", "First child", "Select", shift(Key::Down)},
    {Action::FlowForward, "select.flow_forward", "Follow the arrow; from a wait (barrier, collective) to what it waited for", "Select", plain(Key::RightBracket)},
    {Action::FlowBack, "select.flow_back", "Follow the arrow back (kernel to launch)", "Select", plain(Key::LeftBracket)},
    {Action::NextFlowForward, "select.next_flow_forward", "The next of several arrows", "Select", ctrl(Key::RightBracket)},
    {Action::NextFlowBack, "select.next_flow_back", "The next of several arrows back", "Select", ctrl(Key::LeftBracket)},
    {Action::RangeOfSelection, "select.range", "Make the selection's time an area", "Select", plain(Key::R)},
    {Action::SelectEverything, "select.everything", "Everything as an area; in a table: all rows", "Select", ctrl(Key::A)},
    {Action::NextGap, "gap.next", "Longest gap, then the next shorter", "Select", plain(Key::I)},
    {Action::PreviousGap, "gap.previous", "Next longer gap", "Select", shift(Key::I)},
    {Action::GapUnderMouse, "gap.select", "Select the gap under the mouse", "Select", plain(Key::G)},
    {Action::ClearSelection, "select.clear", "Clear area, then selection", "Select", plain(Key::Escape)},

    {Action::Overview, "lanes.overview", "Switch between the overview (streams, phases) and all rows of all lanes", "Lanes", plain(Key::E)},
    {Action::CollapseAll, "lanes.collapse_all", "Collapse all lanes", "Lanes", plain(Key::C)},
    {Action::ExpandAll, "lanes.expand_all", "Expand all lanes", "Lanes", shift(Key::C)},
    {Action::FoldLevel, "lanes.fold_level", "Fold one more level of groups", "Lanes", plain(Key::K)},
    {Action::OpenLevel, "lanes.open_level", "Open one more level", "Lanes", shift(Key::K)},
    {Action::PinLanes, "lanes.pin", "Pin the lane under the mouse to the top, or unpin it", "Lanes", plain(Key::P)},
    {Action::HideLanes, "lanes.hide", "Hide the lane under the mouse, or those of the area", "Lanes", plain(Key::X)},
    {Action::IsolateLanes, "lanes.isolate", "Show only this lane, or those of the area", "Lanes", shift(Key::X)},
    {Action::ShowAllLanes, "lanes.show_all", "Show all lanes", "Lanes", ctrl_shift(Key::X)},
    {Action::InvertLanes, "lanes.invert", "Show what is hidden, hide what is shown", "Lanes", alt(Key::X)},
    {Action::RowsHigher, "lanes.higher", "Higher rows", "Lanes", plain(Key::Equal)},
    {Action::RowsLower, "lanes.lower", "Lower rows", "Lanes", plain(Key::Minus)},
    {Action::NextRowSize, "lanes.row_size", "Make the rows of this lane compact, normal or tall", "Lanes", plain(Key::H)},
    {Action::CutLane, "lanes.cut", "Cut this lane below this row; again: show all of it", "Lanes", ctrl(Key::H)},
    {Action::ResetRows, "lanes.reset_rows", "Reset the heights and depths of all lanes", "Lanes", shift(Key::H)},
    {Action::NextColors, "lanes.colors", "Colour slices by something else (phase, worker, duration)", "Lanes", plain(Key::U)},
    {Action::FindLane, "lanes.find", "Find a lane by its name", "Lanes", ctrl(Key::P)},

    {Action::OpenSearch, "search.open", "Search by name", "Search", plain(Key::Slash), ctrl(Key::F)},
    {Action::OpenRecordSearch, "search.records", "Search whole records, including args", "Search", ctrl_shift(Key::F)},
    {Action::NextHit, "search.next", "Next hit", "Search", plain(Key::Enter), plain(Key::F3)},
    {Action::PreviousHit, "search.previous", "Previous hit", "Search", shift(Key::Enter), shift(Key::F3)},
    {Action::SearchMatchCase, "search.match_case", "Tell upper from lower case, or not", "Search", alt(Key::C)},
    {Action::SearchRegex, "search.regex", "Search for a regular expression, or for plain text", "Search", alt(Key::R)},
    {Action::SearchInArea, "search.in_area", "Search only in the area, or everywhere", "Search", alt(Key::L)},

    {Action::NextSlowest, "request.next_slowest", "Slowest request, then the next; without a rollout: slowest slice of the selected name, or of the brush", "Requests", plain(Key::L)},
    {Action::PreviousSlowest, "request.previous_slowest", "Back to the slower one", "Requests", shift(Key::L)},
    {Action::NextStep, "step.next", "Next step", "Requests", plain(Key::N)},
    {Action::PreviousStep, "step.previous", "Previous step", "Requests", shift(Key::N)},
    {Action::LastStep, "step.last", "Last step; without steps: the end", "Requests", plain(Key::End)},

    {Action::AddMark, "mark.add", "Mark the time at the mouse; on a mark: delete it", "Marks", plain(Key::M)},
    {Action::KeepSpan, "mark.keep_span", "Keep the area or selection as a measured span", "Marks", shift(Key::M)},
    {Action::NameNote, "mark.name", "Name the mark or span under the mouse; if there is none, make a mark", "Marks", ctrl(Key::M)},
    {Action::DeleteMark, "mark.delete", "Delete the nearest mark or span in sight", "Marks", plain(Key::Delete)},
    {Action::RestoreNote, "mark.restore", "Bring back the last deleted mark or span", "Marks", ctrl(Key::Z)},

    {Action::Open, "file.open", "Open files", "File", ctrl(Key::O)},
    {Action::OpenMore, "file.open_more", "Open files beside these", "File", ctrl_shift(Key::O)},
    {Action::SaveView, "file.save_view", "Save the view: files, lanes, filters, notes (.tvview)", "File", ctrl(Key::S)},
    {Action::SaveViewAs, "file.save_view_as", "Save the view to another file", "File", ctrl_shift(Key::S)},
    {Action::NewTab, "file.new_tab", "New tab; what is open stays in its own", "File", ctrl(Key::T)},
    {Action::ReopenTab, "file.reopen_tab", "Reopen the last closed tab", "File", ctrl_shift(Key::T)},
    {Action::NextTab, "file.next_tab", "Next tab", "File", ctrl(Key::Tab)},
    {Action::PreviousTab, "file.previous_tab", "Previous tab", "File", ctrl_shift(Key::Tab)},
    {Action::Close, "file.close", "Close the tab; if it is the only one, close its files", "File", ctrl(Key::W)},
    {Action::Reload, "file.reload", "Read the files again", "File", plain(Key::F5)},
    {Action::Follow, "file.follow", "Follow the files: what is new is read by itself", "File", shift(Key::F5)},
    {Action::Screenshot, "file.screenshot", "Picture of the window (PNG)", "File", plain(Key::F12)},
    {Action::TimelinePicture, "file.timeline_picture", "Picture of the timeline, twice as sharp (PNG)", "File", shift(Key::F12)},
    {Action::ExportPart, "file.export", "Export a part (Chrome, Perfetto, CSV)", "File", ctrl(Key::E)},
    {Action::Copy, "edit.copy", "Copy the selection as text", "File", ctrl(Key::C)},
    {Action::CopyRecord, "edit.copy_record", "Copy the record of the slice as the file has it (JSON)", "File", ctrl_shift(Key::C)},

    {Action::StoreView1, "view.store_1", "Store what is shown as view 1", "Stored views", shift(Key::Digit1)},
    {Action::StoreView2, "view.store_2", "Store what is shown as view 2", "Stored views", shift(Key::Digit2)},
    {Action::StoreView3, "view.store_3", "Store what is shown as view 3", "Stored views", shift(Key::Digit3)},
    {Action::StoreView4, "view.store_4", "Store what is shown as view 4", "Stored views", shift(Key::Digit4)},
    {Action::StoreView5, "view.store_5", "Store what is shown as view 5", "Stored views", shift(Key::Digit5)},
    {Action::StoreView6, "view.store_6", "Store what is shown as view 6", "Stored views", shift(Key::Digit6)},
    {Action::StoreView7, "view.store_7", "Store what is shown as view 7", "Stored views", shift(Key::Digit7)},
    {Action::StoreView8, "view.store_8", "Store what is shown as view 8", "Stored views", shift(Key::Digit8)},
    {Action::StoreView9, "view.store_9", "Store what is shown as view 9", "Stored views", shift(Key::Digit9)},
    {Action::ShowView1, "view.show_1", "Show view 1", "Stored views", ctrl(Key::Digit1)},
    {Action::ShowView2, "view.show_2", "Show view 2", "Stored views", ctrl(Key::Digit2)},
    {Action::ShowView3, "view.show_3", "Show view 3", "Stored views", ctrl(Key::Digit3)},
    {Action::ShowView4, "view.show_4", "Show view 4", "Stored views", ctrl(Key::Digit4)},
    {Action::ShowView5, "view.show_5", "Show view 5", "Stored views", ctrl(Key::Digit5)},
    {Action::ShowView6, "view.show_6", "Show view 6", "Stored views", ctrl(Key::Digit6)},
    {Action::ShowView7, "view.show_7", "Show view 7", "Stored views", ctrl(Key::Digit7)},
    {Action::ShowView8, "view.show_8", "Show view 8", "Stored views", ctrl(Key::Digit8)},
    {Action::ShowView9, "view.show_9", "Show view 9", "Stored views", ctrl(Key::Digit9)},

    {Action::Panel1, "panel.1", "Panel 1 of the bar", "Panels", plain(Key::Digit1)},
    {Action::Panel2, "panel.2", "Panel 2 of the bar", "Panels", plain(Key::Digit2)},
    {Action::Panel3, "panel.3", "Panel 3 of the bar", "Panels", plain(Key::Digit3)},
    {Action::Panel4, "panel.4", "Panel 4 of the bar", "Panels", plain(Key::Digit4)},
    {Action::Panel5, "panel.5", "Panel 5 of the bar", "Panels", plain(Key::Digit5)},
    {Action::Panel6, "panel.6", "Panel 6 of the bar", "Panels", plain(Key::Digit6)},
    {Action::Panel7, "panel.7", "Panel 7 of the bar", "Panels", plain(Key::Digit7)},
    {Action::Panel8, "panel.8", "Panel 8 of the bar", "Panels", plain(Key::Digit8)},
    {Action::Panel9, "panel.9", "Panel 9 of the bar", "Panels", plain(Key::Digit9)},
    {Action::NextPanels, "panel.next_group", "Next group of panels", "Panels", plain(Key::B)},
    {Action::PreviousPanels, "panel.previous_group", "Previous group of panels", "Panels", shift(Key::B)},
    {Action::NextTable, "panel.next_table", "Give the keyboard to the next table; after the last, to the timeline", "Panels", plain(Key::F6)},
    {Action::PreviousTable, "panel.previous_table", "Give the keyboard to the previous table", "Panels", shift(Key::F6)},
    {Action::ToggleDrawer, "window.drawer", "Show or hide the panels below", "Panels", plain(Key::Q)},
    {Action::ResetPanels, "panel.reset", "Put all panels back in place", "Panels", shift(Key::Q)},
    {Action::CommandBox, "window.commands", "All commands: type to find one", "Window", ctrl_shift(Key::P)},
    {Action::OpenMenus, "window.menus", "Open the menus (or Alt alone)", "Window", plain(Key::F10)},
    {Action::EditKeys, "window.edit_keys", "Change keys: show the keymap file", "Window"},
    {Action::ShowProblems, "window.problems", "Import report", "Window", shift(Key::P)},
    {Action::ToggleHelp, "window.help", "This help", "Window", plain(Key::Question), plain(Key::F1)},
    {Action::ToggleTheme, "window.theme", "Dark or light", "Window", shift(Key::T)},
    {Action::FullScreen, "window.full_screen", "Full screen", "Window", plain(Key::F11)},
    {Action::Larger, "window.larger", "Larger interface", "Window", ctrl(Key::Equal)},
    {Action::Smaller, "window.smaller", "Smaller interface", "Window", ctrl(Key::Minus)},
    {Action::NormalSize, "window.normal_size", "Default size", "Window", ctrl(Key::Digit0)},
    {Action::Quit, "app.quit", "Quit", "Window", ctrl(Key::Q)},

    {Action::MouseSelect, "mouse.select", "Dragging selects an area", "Mouse"},
    {Action::MousePan, "mouse.pan", "Dragging moves the view", "Mouse"},
    {Action::MouseZoom, "mouse.zoom", "Dragging up and down zooms", "Mouse"},
    {Action::MouseTiming, "mouse.timing", "Dragging measures: an area of all lanes", "Mouse"},
};
// clang-format on
static_assert(std::size(kBindings) == static_cast<std::size_t>(Action::kCount));

constexpr std::array<std::string_view, static_cast<std::size_t>(Key::kCount)> kKeyNames = {
    "",        "A",         "B",     "C",   "D",     "E",      "F",         "G",      "H",    "I",     "J",
    "K",       "L",         "M",     "N",   "O",     "P",      "Q",         "R",      "S",    "T",     "U",
    "V",       "W",         "X",     "Y",   "Z",     "0",      "1",         "2",      "3",    "4",     "5",
    "6",       "7",         "8",     "9",   "F1",    "F2",     "F3",        "F4",     "F5",   "F6",    "F7",
    "F8",      "F9",        "F10",   "F11", "F12",   "Left",   "Right",     "Up",     "Down", "Home",  "End",
    "Page Up", "Page Down", "Enter", "Esc", "Space", "Tab",    "Backspace", "Delete", ",",    ".",     "/",
    "-",       "=",         "[",     "]",   "?",     ":",      "Insert",    "Ctrl",   "Shift", "Alt",  "Super",
};

std::vector<Binding>& live_bindings() {
  static std::vector<Binding> table(std::begin(kBindings), std::end(kBindings));
  return table;
}

}  // namespace

std::span<const Binding> bindings() { return live_bindings(); }

std::vector<Binding> default_bindings(MousePreset mouse) {
  std::vector<Binding> table(std::begin(kBindings), std::end(kBindings));
  if (mouse != MousePreset::Chrome) return table;
  constexpr Action kModes[] = {Action::MouseSelect, Action::MousePan, Action::MouseZoom, Action::MouseTiming};
  Key digit = Key::Digit1;
  for (const Action mode : kModes) {
    const Chord chord = plain(digit);
    for (Binding& other : table) {
      if (other.second == chord) other.second = {};
      if (other.chord == chord) other.chord = std::exchange(other.second, {});
    }
    table[static_cast<std::size_t>(mode)].chord = chord;
    digit = static_cast<Key>(static_cast<int>(digit) + 1);
  }
  return table;
}

void use_bindings(std::vector<Binding> table) {
  assert(table.size() == std::size(kBindings));
  live_bindings() = std::move(table);
}

const Binding& binding(Action action) {
  const Binding& found = live_bindings()[static_cast<std::size_t>(action)];
  assert(found.action == action);
  return found;
}

std::optional<Action> action_for(Chord chord) {
  if (chord.key == Key::None) return std::nullopt;
  for (const Binding& candidate : live_bindings()) {
    // Shift makes held actions faster instead of meaning something else.
    const Chord asked =
        candidate.held ? Chord{chord.key, static_cast<std::uint8_t>(chord.modifiers & ~kShift)} : chord;
    if (asked == candidate.chord || asked == candidate.second) return candidate.action;
  }
  return std::nullopt;
}

bool collide(const Binding& a, Chord of_a, const Binding& b, Chord of_b) {
  if (of_a.key == Key::None || of_a.key != of_b.key) return false;
  // With Shift what is held is faster.
  const auto ignored = static_cast<std::uint8_t>(a.held || b.held ? kShift : kNoModifier);
  return (of_a.modifiers & ~ignored) == (of_b.modifiers & ~ignored);
}

std::string keys_text(const Binding& binding) {
  std::string out = text(binding.chord);
  const std::string second = text(binding.second);
  if (!out.empty() && !second.empty()) out += ", ";
  return out += second;
}

std::string_view name(Key key) { return kKeyNames[static_cast<std::size_t>(key)]; }

std::string text(Chord chord) {
  std::string out;
  if (chord.key == Key::None) return out;
  if ((chord.modifiers & kCtrl) != 0) out += "Ctrl+";
  if ((chord.modifiers & kShift) != 0) out += "Shift+";
  if ((chord.modifiers & kAlt) != 0) out += "Alt+";
  return out += name(chord.key);
}

std::optional<Command> command_for(Action action) {
  using namespace command;
  constexpr double kScrollPx = 60, kPagePx = 600;
  const auto after = [&](Action first) { return static_cast<std::size_t>(action) - static_cast<std::size_t>(first); };
  if (action >= Action::StoreView1 && action <= Action::StoreView9) return StoredView{after(Action::StoreView1) + 1, true};
  if (action >= Action::ShowView1 && action <= Action::ShowView9) return StoredView{after(Action::ShowView1) + 1, false};
  switch (action) {
    case Action::ZoomIn:
    case Action::ZoomOut:
    case Action::PanLeft:
    case Action::PanRight: return std::nullopt;
    case Action::ScrollUp: return ScrollBy{-kScrollPx};
    case Action::ScrollDown: return ScrollBy{kScrollPx};
    case Action::PageUp: return ScrollBy{-kPagePx};
    case Action::PageDown: return ScrollBy{kPagePx};
    case Action::FitAll: return FitAll{};
    case Action::FitSelection: return FitSelection{};
    case Action::Back: return Back{};
    case Action::Forward: return Forward{};
    case Action::OpenGoTo: return OpenGoTo{};
    case Action::NextTimeFormat: return SetTimeFormat{};
    case Action::NextAlign: return AlignRuns{};
    case Action::ToggleSplit: return command::ToggleSplit{};
    case Action::NextSlice: return NextSlice{};
    case Action::PreviousSlice: return PreviousSlice{};
    case Action::ParentSlice: return ParentSlice{};
    case Action::ChildSlice: return ChildSlice{};
    case Action::FlowForward: return FollowFlow{true};
    case Action::FlowBack: return FollowFlow{false};
    case Action::NextFlowForward: return FollowFlow{true, true};
    case Action::NextFlowBack: return FollowFlow{false, true};
    case Action::RangeOfSelection: return RangeOfSelection{};
    case Action::SelectEverything: return SelectEverything{};
    case Action::NextGap: return NextGap{true};
    case Action::PreviousGap: return NextGap{false};
    case Action::GapUnderMouse: return GapUnderMouse{};
    case Action::ClearSelection: return ClearSelection{};
    case Action::Overview: return ToggleOverview{};
    case Action::CollapseAll: return CollapseAll{true};
    case Action::ExpandAll: return CollapseAll{false};
    case Action::FirstLane: return ScrollBy{-kFarther};
    case Action::LastLane: return ScrollBy{kFarther};
    case Action::FoldLevel: return FoldLevels{1};
    case Action::OpenLevel: return FoldLevels{-1};
    case Action::PinLanes: return ChooseLanes{ChooseLanes::What::Pin};
    case Action::HideLanes: return ChooseLanes{ChooseLanes::What::Hide};
    case Action::IsolateLanes: return ChooseLanes{ChooseLanes::What::Isolate};
    case Action::ShowAllLanes: return ChooseLanes{ChooseLanes::What::ShowAll};
    case Action::InvertLanes: return ChooseLanes{ChooseLanes::What::Invert};
    case Action::RowsHigher: return ScaleRows{1};
    case Action::RowsLower: return ScaleRows{-1};
    case Action::NextRowSize: return CycleRowSize{};
    case Action::CutLane: return CutLane{};
    case Action::ResetRows: return ResetRows{};
    case Action::NextColors: return ColorSlices{};
    case Action::OpenSearch: return OpenSearch{};
    case Action::OpenRecordSearch: return OpenSearch{true};
    case Action::NextHit: return NextHit{true};
    case Action::PreviousHit: return NextHit{false};
    case Action::SearchMatchCase: return ToggleSearch{ToggleSearch::What::MatchCase};
    case Action::SearchRegex: return ToggleSearch{ToggleSearch::What::Regex};
    case Action::SearchInArea: return ToggleSearch{ToggleSearch::What::InArea};
    case Action::NextSlowest: return NextSlowest{true};
    case Action::PreviousSlowest: return NextSlowest{false};
    case Action::NextStep: return NextStep{true};
    case Action::PreviousStep: return NextStep{false};
    case Action::LastStep: return NextStep{true, true};
    case Action::AddMark: return AddMark{};
    case Action::KeepSpan: return KeepSpan{};
    case Action::DeleteMark: return DeleteMark{};
    case Action::NameNote: return EditNote{EditNote::What::AskName};
    case Action::RestoreNote: return EditNote{EditNote::What::Restore};
    case Action::SaveView: return SaveView{};
    case Action::SaveViewAs: return SaveView{{}, true};
    case Action::Open: return OpenDialog{false};
    case Action::OpenMore: return OpenDialog{true};
    case Action::NewTab: return NewTab{};
    case Action::ReopenTab: return ReopenTab{};
    case Action::NextTab: return NextTab{true};
    case Action::PreviousTab: return NextTab{false};
    case Action::Close: return CloseTab{};
    case Action::Reload: return Reload{};
    case Action::Follow: return Follow{};
    case Action::Screenshot: return Screenshot{};
    case Action::TimelinePicture: return Screenshot{{}, "timeline", {}, "timeline", 2};
    case Action::ExportPart: return ToggleDialog{Dialog::Export};
    case Action::Copy: return CopyText{};
    case Action::CopyRecord: return CopyRecord{};
    case Action::Panel1: return ShowPanelNumber{1};
    case Action::Panel2: return ShowPanelNumber{2};
    case Action::Panel3: return ShowPanelNumber{3};
    case Action::Panel4: return ShowPanelNumber{4};
    case Action::Panel5: return ShowPanelNumber{5};
    case Action::Panel6: return ShowPanelNumber{6};
    case Action::Panel7: return ShowPanelNumber{7};
    case Action::Panel8: return ShowPanelNumber{8};
    case Action::Panel9: return ShowPanelNumber{9};
    case Action::NextPanels: return NextPanelGroup{true};
    case Action::PreviousPanels: return NextPanelGroup{false};
    case Action::NextTable: return command::NextTable{true};
    case Action::PreviousTable: return command::NextTable{false};
    case Action::ResetPanels: return command::ResetPanels{};
    case Action::CommandBox: return OpenCommandBox{OpenCommandBox::Of::Commands};
    case Action::FindLane: return OpenCommandBox{OpenCommandBox::Of::Lanes};
    case Action::OpenMenus: return ToggleMenus{};
    case Action::EditKeys: return EditKeys{};
    case Action::MouseSelect: return SetMouseMode{MouseMode::Select};
    case Action::MousePan: return SetMouseMode{MouseMode::Pan};
    case Action::MouseZoom: return SetMouseMode{MouseMode::Zoom};
    case Action::MouseTiming: return SetMouseMode{MouseMode::Timing};
    case Action::ToggleDrawer: return TogglePanel{"drawer"};
    case Action::ShowProblems: return ShowPanel{"problems"};
    case Action::ToggleHelp: return ToggleHelp{};
    case Action::ToggleTheme: return ToggleTheme{};
    case Action::FullScreen: return ToggleFullScreen{};
    case Action::Larger: return ScaleInterface{1.1f};
    case Action::Smaller: return ScaleInterface{1 / 1.1f};
    case Action::NormalSize: return ScaleInterface{0};
    case Action::Quit: return Quit{};
    default: break;
  }
  return std::nullopt;
}

}  // namespace tv
