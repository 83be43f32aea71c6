// Commands of the window itself: its panels, its looks, and what it writes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/view/color/appearance.h"
#include "core/view/color/theme_choice.h"
#include "core/view/panels/panel_layout.h"
#include "core/view/words/text_place.h"

namespace tv::command {

/// A part of the window, in its units, from its upper left corner.
struct ScreenArea {
  float x = 0, y = 0, width = 0, height = 0;
};
struct TogglePanel {
  std::string id;
};
/// The lines of a file around a byte, in the panel Text.
struct ShowText {
  TextPlace place;
};
struct ShowPanel {
  std::string id;  ///< to the front, wherever it stands
};
/// The one with this number in the bar of panels, from 1.
struct ShowPanelNumber { int number = 1; };
struct ShowPanelGroup {
  PanelGroup group = PanelGroup::Trace;  ///< its panel that was seen last
};
struct NextPanelGroup {
  bool forward = true;
};
struct MovePanel {
  std::string id;
  PanelPlace place = PanelPlace::Left;
};
struct ClosePanel {
  std::string id;
};
struct SizePanels {
  PanelSize which = PanelSize::Drawer;
  float share = 0.5f;
};
/// Where its own window was moved to.
struct PlaceOwnPanel {
  OwnPanel panel;
};
struct ResetPanels {};  ///< as at first
struct ToggleHelp {};
/// A page of the manual by its topic; none: opens it where it was left, or closes it.
struct OpenManual { std::string topic = {}; };
struct ToggleTheme {};
struct ChooseTheme {
  ThemeChoice theme = ThemeChoice::System;
};
/// Colours of slices, and whether things glide; what is not named stays.
struct SetAppearance {
  std::optional<PaletteKind> palette = {};
  std::optional<bool> reduced_motion = {};
};
/// A dialog of the window's own: opens it, or closes it where it is open.
enum class Dialog : std::uint8_t { Export, About };
struct ToggleDialog {
  Dialog dialog = Dialog::About;
};
struct ToggleFullScreen {};
struct ScaleInterface {
  float factor = 1;  ///< 0 = back to the default
};
struct SetInterfaceScale {
  float scale = 1;
};
struct Screenshot {
  std::string path;                ///< empty = a new file in the pictures folder
  std::string name = "traceview";  ///< which then begins with this
  ScreenArea area = {};            ///< empty = all of the window
  std::string of = {};             ///< "timeline", a panel's id: the area is where that is, and the file is called so
  float scale = 1;                 ///< pixels for one of the screen: letters are drawn anew, not enlarged
  bool svg = false;                ///< of the timeline
  bool copy = false;               ///< to the clipboard; where that cannot be, to a file
};
struct CopyText {
  std::string text;  ///< empty = what is selected, in words
};
struct CopyRecord {};  ///< of the selected slice, as its file has it
/// Into a new file in the pictures folder.
struct SaveText {
  std::string name;  ///< with its ending: "request_cdf.svg"
  std::string text;
};
struct Quit {};

}  // namespace tv::command
