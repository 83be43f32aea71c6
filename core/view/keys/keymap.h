// The live key table: one line per action. Dispatch, help screen, menus and the user's documentation all read
// it, so what the help says is what the keys do. Keys are our own enum; ui maps its toolkit's keys to it.
// There is one such table in a program, as there is one pair of hands: it begins as the defaults, and the user's
// file of keys (key_file.h) changes chords in it. Read and changed by the thread of the window alone.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/view/keys/commands.h"

namespace tv {

enum class Key : std::uint8_t {
  None,
  A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q, R, S, T, U, V, W, X, Y, Z,
  Digit0, Digit1, Digit2, Digit3, Digit4, Digit5, Digit6, Digit7, Digit8, Digit9,
  F1, F2, F3, F4, F5, F6, F7, F8, F9, F10, F11, F12,
  Left, Right, Up, Down, Home, End, PageUp, PageDown,
  Enter, Escape, Space, Tab, Backspace, Delete,
  Comma, Period, Slash, Minus, Equal, LeftBracket, RightBracket,
  Question,  ///< the character '?', wherever the layout has it
  Colon,     ///< the character ':', wherever the layout has it
  Insert,
  Ctrl, Shift, Alt, Super,  ///< left or right
  kCount
};

enum KeyModifier : std::uint8_t { kNoModifier = 0, kCtrl = 1, kShift = 2, kAlt = 4 };

struct Chord {
  Key key = Key::None;
  std::uint8_t modifiers = kNoModifier;
  bool operator==(const Chord&) const = default;
};

enum class Action : std::uint8_t {
  ZoomIn, ZoomOut, PanLeft, PanRight,  // held
  ScrollUp, ScrollDown, PageUp, PageDown,
  FirstLane, LastLane, FitAll, FitSelection, Back, Forward, OpenGoTo, NextTimeFormat, NextAlign, ToggleSplit,
  NextSlice, PreviousSlice, ParentSlice, ChildSlice, FlowForward, FlowBack, NextFlowForward, NextFlowBack, RangeOfSelection, SelectEverything,
  NextGap, PreviousGap, GapUnderMouse, ClearSelection,
  Overview, CollapseAll, ExpandAll, FoldLevel, OpenLevel, PinLanes, HideLanes, IsolateLanes, ShowAllLanes, InvertLanes,
  RowsHigher, RowsLower, NextRowSize, CutLane, ResetRows, NextColors, FindLane,
  OpenSearch, OpenRecordSearch, NextHit, PreviousHit, SearchMatchCase, SearchRegex, SearchInArea,
  NextSlowest, PreviousSlowest, NextStep, PreviousStep, LastStep,
  AddMark, KeepSpan, NameNote, DeleteMark, RestoreNote,
  Open, OpenMore, SaveView, SaveViewAs, NewTab, ReopenTab, NextTab, PreviousTab, Close, Reload, Follow, Screenshot, TimelinePicture, ExportPart, Copy, CopyRecord,
  StoreView1, StoreView2, StoreView3, StoreView4, StoreView5, StoreView6, StoreView7, StoreView8, StoreView9,
  ShowView1, ShowView2, ShowView3, ShowView4, ShowView5, ShowView6, ShowView7, ShowView8, ShowView9,
  Panel1, Panel2, Panel3, Panel4, Panel5, Panel6, Panel7, Panel8, Panel9, NextPanels, PreviousPanels, NextTable, PreviousTable,
  ToggleDrawer, ResetPanels, CommandBox, OpenMenus, EditKeys, ShowProblems, ToggleHelp, ToggleTheme, FullScreen, Larger, Smaller, NormalSize,
  Quit,
  MouseSelect, MousePan, MouseZoom, MouseTiming,
  kCount
};

struct Binding {
  Action action;
  std::string_view id;     ///< stable name, for settings and scripts: "view.fit_all"
  std::string_view title;  ///< for help and menus
  std::string_view group;  ///< heading in the help screen
  Chord chord = {}, second = {};  ///< default keys; second may be none
  bool held = false;       ///< acts as long as it is down; see navigation.h. With Shift it is faster.
  bool physical = false;   ///< counts by position on a US keyboard, not by letter (WASD on AZERTY: ZQSD)
};

std::span<const Binding> bindings();  ///< in the order of Action, which is the order of the help screen
/// The bindings of a mouse preset, before the user changes anything: Chrome's has keys for the modes of dragging.
std::vector<Binding> default_bindings(MousePreset mouse);
/// From now on these; in the order of Action.
void use_bindings(std::vector<Binding> table);
const Binding& binding(Action action);

/// The action of a pressed chord, held ones included; none when the key means nothing.
std::optional<Action> action_for(Chord chord);
/// Two chords that one press would mean both of.
bool collide(const Binding& a, Chord of_a, const Binding& b, Chord of_b);
/// "Ctrl+Shift+P", "W", "?"; empty for none.
std::string text(Chord chord);
/// Both chords of a binding, "0, Home"; empty: it has none.
std::string keys_text(const Binding& binding);
std::string_view name(Key key);
/// The command of an action. None for held ones, which navigation.h serves.
std::optional<Command> command_for(Action action);

/// Mouse gestures, for the help screen only; what they do is in mouse_map.h.
struct Gesture {
  std::string_view gesture, title, group;
};
std::span<const Gesture> gestures(MousePreset preset);
std::span<const Gesture> gestures();  ///< of the preset in use

}  // namespace tv
