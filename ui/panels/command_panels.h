// Two panels that show the list of all commands (core/view/menus/command_list.h): a box that finds commands and lanes by a few
// typed letters, and the menus of the top bar.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/view/menus/command_box.h"
#include "core/view/menus/command_list.h"
#include "ui/panels/panel.h"

namespace tv {

class CommandBoxPanel {
 public:
  /// Draws the box over everything. `below`: the top bar, below which the box is. `whole`: the window.
  void draw(const PanelContext& context, const Area& below, const Area& whole);
  /// The box will open with these letters in it.
  void begin_with(std::string letters) { begins_with_ = std::move(letters); }

  /// For scripts: the number of lines, the text and id of the chosen line, the centre of a line in sight.
  std::size_t row_count() const { return rows_.size(); }
  std::string chosen_text() const { return chosen_ < rows_.size() ? lines_[rows_[chosen_].line].text : std::string(); }
  std::string chosen_id() const { return chosen_ < rows_.size() ? lines_[rows_[chosen_].line].id : std::string(); }
  std::optional<ImVec2> place_of(std::string_view text) const;

 private:
  void collect(const PanelContext& context);
  void collect_lanes(const PanelContext& context);
  void take_early_text();
  ImVec2 place_window(const Theme& theme, const Area& below, const Area& whole) const;
  bool edit_text(const PanelContext& context, bool opened);
  void draw_rows(const PanelContext& context, float width, float height);
  void draw_row(const PanelContext& context, std::size_t row, ImVec2 at, float width);
  void choose(const PanelContext& context, std::size_t row);

  std::optional<command::OpenCommandBox::Of> open_box_;
  std::string text_, begins_with_;
  std::vector<ListedCommand> commands_;  // for the command lines of lines_
  std::vector<LaneId> lanes_;            // for the lane lines of lines_
  std::vector<BoxLine> lines_;
  std::vector<BoxRow> rows_;
  std::size_t chosen_ = 0;
  bool chosen_moved_ = false, cursor_to_end_ = false, has_keyboard_ = false;
  std::optional<std::string> lane_rows_text_;      // the typed text for which the lanes in rows_ were found
  std::optional<std::uint64_t> lanes_generation_;  // of the snapshot whose lanes are in lines_
  std::vector<std::pair<std::string, ImVec2>> places_;  // positions of the lines in sight
};

class MenuBar {
 public:
  /// Draws the buttons into the current bar. If there is too little room, one button stands for all menus.
  void draw_buttons(const PanelContext& context, float bar_width);
  /// Draws the open menu over everything.
  void draw_menu(const PanelContext& context, const Area& bar, const Area& whole);

  /// For scripts: the centre of a menu's button by its name, of the button "Menu", or of a line of the open menu.
  std::optional<ImVec2> place_of(std::string_view text) const;
  /// The name of the open menu, and its chosen line; empty if no menu is open.
  std::string open_menu_name() const { return open_menu_ ? std::string(name(*open_menu_)) : std::string(); }
  const std::string& chosen_title() const { return chosen_title_; }

 private:
  struct Line {
    std::size_t command = SIZE_MAX;  // index in commands_; SIZE_MAX for a heading
    std::string_view title;
    std::size_t column = 0;
    float y = 0;
  };
  void arrange(const PanelContext& context, const Area& room);
  void handle_keys(const PanelContext& context);
  void step(int by);
  void step_menu(int by);
  std::string chosen_id() const;
  void choose(std::string_view id);
  void run(const PanelContext& context, std::size_t line);
  void draw_line(const PanelContext& context, std::size_t line, ImVec2 at, float width);
  bool button(const PanelContext& context, const char* title, bool on, bool compact);

  std::optional<Menu> open_menu_;
  bool open_ = false, compact_ = false, appears_ = false, chosen_moved_ = false, by_hover_ = false;
  std::size_t chosen_ = SIZE_MAX;  // index in lines_
  std::vector<ListedCommand> commands_;
  std::vector<Line> lines_;
  float column_width_ = 0, height_ = 0;
  std::size_t columns_ = 1;
  std::string chosen_title_;
  std::vector<std::pair<std::string, ImVec2>> buttons_, places_;
  std::vector<float> button_x_ = std::vector<float>(kMenus, 0.0f);
  bool over_button_ = false;
};

/// Covers `area` so that clicks outside of a box do not reach what lies below. Returns whether there was a click.
bool draw_shield(const char* name, const Area& area);

}  // namespace tv
