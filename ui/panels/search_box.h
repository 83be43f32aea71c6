// The search of the top bar: its text and options, which of the hits is selected, and buttons for the next and previous hit. Reads
// the workspace's search; commands: Search, ToggleSearch, OpenSearch, NextHit.
#pragma once

#include <string>
#include <utility>

#include "ui/panels/panel.h"

namespace tv {

class SearchBox {
 public:
  /// Its width, given the width of its text box; `open`: more is shown once a search is open.
  static float width(const PanelContext& context, float box, bool open);
  /// A search is open, or is about to be: the box is then wider.
  static bool open(const Workspace& workspace) { return workspace.state().boxes.search || !workspace.search().asked().text.empty(); }
  /// Draws at the cursor of the current window.
  void draw(const PanelContext& context, float box);
  /// Letters typed after a '>' before the command box had the keyboard: its initial text.
  std::string take_command_letters() { return std::exchange(command_letters_, {}); }

 private:
  void draw_toggles(const PanelContext& context) const;
  void draw_steps(const PanelContext& context) const;
  void draw_complaint(const PanelContext& context) const;

  std::string text_, command_letters_;
  bool was_open_ = false, had_keyboard_ = false;
};

}  // namespace tv
