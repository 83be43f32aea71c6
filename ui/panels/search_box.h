// The search of the top bar: what is looked for and how, which hit of how many is selected, a step forward and back. Reads the
// workspace's search; commands: Search, ToggleSearch, OpenSearch, NextHit.
#pragma once

#include <string>
#include <utility>

#include "ui/panels/panel.h"

namespace tv {

class SearchBox {
 public:
  /// How wide it is with a text box of this width, while something is searched and before.
  static float width(const PanelContext& context, float box, bool open);
  /// Something is, or is about to be: it is then wider.
  static bool open(const Workspace& workspace) { return workspace.boxes().search || !workspace.search().asked().text.empty(); }
  /// At the cursor, in the window that is being drawn.
  void draw(const PanelContext& context, float box);
  /// What came with a '>' before the command box had the keyboard: begins what it is asked.
  std::string take_command_letters() { return std::exchange(command_letters_, {}); }

 private:
  void draw_toggles(const PanelContext& context) const;
  void draw_steps(const PanelContext& context) const;
  void draw_complaint(const PanelContext& context) const;

  std::string text_, command_letters_;
  bool was_open_ = false, had_keyboard_ = false;
};

}  // namespace tv
