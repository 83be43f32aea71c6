// Commands of the window itself: its panels, its appearance, and what it writes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/view/color/appearance.h"
#include "core/view/color/theme_choice.h"
#include "core/view/panels/panel_layout.h"
#include "core/view/words/text_place.h"

namespace tv::command {

/// A part of the window, in the window's units, from its upper left corner.
struct ScreenArea {
  float x = 0, y = 0, width = 0, height = 0;
};
struct TogglePanel {
  std::string id;
};
/// Shows the lines of a file around a byte, in the panel Text.
struct ShowText {
  TextPlace place;
};
struct ShowPanel {
  std::string id;  ///< id of the panel to bring to the front, wherever it is
};
/// Shows the panel with this number in the bar of panels, counted from 1.
struct ShowPanelNumber { int number = 1; };
struct ShowPanelGroup {
  PanelGroup group = PanelGroup::Trace;  ///< group whose last panel comes to the front
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
/// The new place of a panel that has its own window.
struct PlaceOwnPanel {
  OwnPanel panel;
};
struct ResetPanels {};  ///< as at the first start
struct ToggleHelp {};
/// Opens the manual's page on a topic. Without a topic, opens the manual at its last page, or closes it if it is open.
struct OpenManual { std::string topic = {}; };
struct ToggleTheme {};
struct ChooseTheme {
  ThemeChoice theme = ThemeChoice::System;
};
/// Sets the colours of slices and reduced motion. What has no value stays unchanged.
struct SetAppearance {
  std::optional<PaletteKind> palette = {};
  std::optional<bool> reduced_motion = {};
};
/// A dialog that the window itself draws. ToggleDialog opens it, or closes it if it is open.
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
  std::string path = {};           ///< empty = a new file in the pictures folder
  std::string name = "traceview";  ///< the name of that file begins with this
  ScreenArea area = {};            ///< empty = all of the window
  std::string of = {};             ///< "timeline" or a panel's id: determines the area and the file name
  float scale = 1;                 ///< picture pixels per screen pixel: letters are rendered at that size, not enlarged
  bool svg = false;                ///< only for the timeline
  bool copy = false;               ///< to the clipboard, or to a file if that is impossible
};
struct CopyText {
  std::string text;  ///< empty = the selection as text
};
struct CopyMarkdown {};  ///< copies what CopyText copies of the selection, as a Markdown table
struct CopyRecord {};  ///< copies the record of the selected slice as it is in its file
/// Writes a new file in the pictures folder.
struct SaveText {
  std::string name;  ///< file name with ending: "request_cdf.svg"
  std::string text;
};
/// The problems of all files, as a table for a spreadsheet.
struct TakeProblems {
  bool save = false;  ///< writes a new file, as SaveText does; else copies the table
};
struct Quit {};

}  // namespace tv::command
