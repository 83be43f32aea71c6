// The search in the top bar: a text box, options, the number of hits, and buttons for the next and the previous hit. Reads the
// workspace's search. Commands: Search, ToggleSearch, OpenSearch, NextHit, OpenCommandBox.
#pragma once

#include <string>
#include <utility>

#include "ui/panels/panel.h"

namespace tv {

class SearchBox {
 public:
  /// The width of everything, given the width of the text box. `open`: includes what is shown only while a search is open.
  static float width(const PanelContext& context, float box, bool open);
  /// Whether the user is searching, or has just opened the search.
  static bool open(const Workspace& workspace) { return workspace.state().boxes.search || !workspace.search().asked().text.empty(); }
  /// Draws at the cursor of the current window.
  void draw(const PanelContext& context, float box);
  /// Letters that were typed after a '>' before the command box got the keyboard. They are its initial text.
  std::string take_command_letters() { return std::exchange(command_letters_, {}); }

 private:
  void draw_toggles(const PanelContext& context) const;
  void draw_hit_buttons(const PanelContext& context) const;
  void draw_complaint(const PanelContext& context) const;

  std::string text_, command_letters_;
  bool was_open_ = false, had_keyboard_ = false;
};

}  // namespace tv
