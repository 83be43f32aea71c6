// Everything the program can do, as one list: each action of commands.inc, and one choice for each panel, colour rule, text size
// or page. Command box, menus and help use it, so they all have the same commands.
//
// Cost: some hundred short strings; made while a menu or the box is open.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/store/clock/align_runs.h"
#include "core/view/color/appearance.h"
#include "core/view/color/color_rule.h"
#include "core/view/color/theme_choice.h"
#include "core/view/keys/command_use.h"
#include "core/view/keys/keymap.h"
#include "core/view/lanes/lane_order.h"
#include "core/view/words/time_style.h"

namespace tv {

/// The state that decides which commands make sense; session/desk/command_scene.h collects it from a window.
struct CommandScene {
  bool open = false;       ///< files are open
  bool closed_files = false;  ///< open folders have closed files
  bool data = false;       ///< there are lanes
  bool loading = false, following = false;
  bool slice = false, gap = false, range = false;  ///< selected
  bool lane = false;       ///< a lane is under the mouse, or the selection has lanes
  bool pointed_gap = false;
  bool flows = false, marks = false, spans = false, searched = false;
  bool requests = false, steps = false;
  std::size_t slices = 0;  ///< number of selected slices
  std::optional<SplitBy> split;  ///< none: there is one timeline
  std::size_t runs = 1;
  ThemeChoice theme = ThemeChoice::System;
  Appearance appearance;
  KeptFacts kept;
  bool closed_tab = false;
  float text_size = 1;
  std::optional<Align> align;  ///< none: the alignment cannot be changed
  ColorRule color = ColorRule::Name;
  std::vector<ColorRule> colors;     ///< rules that make a difference here
  TimeFormat time = TimeFormat::SinceBegin;
  std::vector<TimeFormat> times;     ///< formats on offer
  std::optional<LaneSort> sort;
  std::optional<HeatMeasure> order;
  struct PanelOf {
    std::string_view id, title, hint, group;
    bool has_data = false, shown = false;
  };
  std::vector<PanelOf> panels;
  MouseHabit mouse;
};

struct ListedCommand {
  std::string id;
  std::string title;         ///< as in menu and box
  Menu menu = Menu::Window;
  std::string_view section;  ///< entries of a menu with the same section belong together; may be empty
  std::optional<Action> action;
  std::string keys;          ///< the user's current keys for it
  Command command = command::FitAll{};
  bool enabled = true;
  bool on = false;           ///< it is the current setting
};

/// Grouped by menu, and in each menu by section.
std::vector<ListedCommand> command_list(const CommandScene& scene);

}  // namespace tv
