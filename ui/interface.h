// The whole interface: lays out and draws the panels, turns keys into commands, and applies these. The real window, screenshots
// and scripts all run this code.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "core/session/workspace/workspace.h"
#include "ui/panels/bars/panel_places.h"
#include "ui/panels/bars/tab_bar.h"
#include "ui/panels/boxes/about_panel.h"
#include "ui/panels/boxes/drop_panel.h"
#include "ui/panels/boxes/export_dialog.h"
#include "ui/panels/boxes/manual_panel.h"
#include "ui/panels/boxes/missing_box.h"
#include "ui/panels/boxes/open_dialog.h"
#include "ui/panels/boxes/start_page_panel.h"
#include "ui/panels/command_panels.h"
#include "ui/panels/side_panels.h"
#include "ui/panels/timeline/split_header.h"
#include "ui/panels/timeline/step_strip_panel.h"
#include "ui/panels/timeline/timeline_panel.h"
#include "ui/widgets/backdrop.h"
#include "ui/widgets/input/keys.h"
#include "ui/widgets/text/fonts.h"
#include "ui/widgets/theme.h"
#include "ui/widgets/timeline_canvas.h"

namespace tv {

class Interface {
 public:
  /// `id`: the id of the tab that this interface belongs to, if there can be several.
  Interface(Workspace& workspace, Keys& keys, Fonts& fonts, TimelineCanvas& canvas, std::function<void()> wake,
            std::uint64_t id = 0);

  /// Call between frames: sets theme, scale and fonts for the next frame. `display_scale`: of the screen, without the user's text
  /// size.
  void prepare(float display_scale, float pixel_ratio = 1);
  /// Draws a frame and applies its commands. Call inside an ImGui frame.
  void frame(ImVec2 size, float dt_s, double now_s);

  /// The backdrop that the last frame() is drawn on.
  const Backdrop& backdrop() const { return backdrop_; }
  const Theme& theme() const { return theme_; }
  CommandQueue& commands() { return commands_; }
  /// Whether more frames are needed without any input, because something moves or is awaited.
  bool animating() const;
  /// Whether the last frame opened a text box that does not have the keyboard yet. Typed text must be held back for that box.
  bool expects_text() const { return expects_text_; }
  /// Sets all tabs, before a frame. With fewer than two there is no tab bar.
  void set_tabs(std::vector<TabLabel> tabs) { tabs_ = std::move(tabs); }
  const TabBar& tab_bar() const { return tab_bar_; }
  /// Where the last frame drew the lanes.
  Area lanes_area(SplitHalf half = SplitHalf::Upper) const { return lanes_[ix(half)]; }
  /// Area of the panel with this id, or of "timeline", for screenshots; none: it is not shown.
  std::optional<Area> area_shown(std::string_view what) const;
  /// Ids and titles of all panels that have data.
  std::vector<std::pair<std::string, std::string>> panels_with_data() const;
  /// Sets the contents of the dialog "About".
  void set_about(AboutLines lines) { about_ = std::move(lines); }
  bool about_open() const { return about_open_; }
  const ExportDialog& export_dialog() const { return export_; }
  const ManualPanel& manual() const { return manual_; }
  /// Positions in the last frame, for scripts.
  const PanelPlaces& panels() const { return panels_; }
  const StepStripPanel& step_strip() const { return step_strip_; }
  const ChartPanel& charts() const { return panels_.charts(); }
  const TimelinePanel& timeline(SplitHalf half = SplitHalf::Upper) const { return half == SplitHalf::Lower ? lower_ : timeline_; }
  const SplitHeader& split_header() const { return split_header_; }
  /// The middle of a filter chip in the last frame, or of the x that removes it.
  std::optional<ImVec2> place_of_chip(std::size_t chip, bool its_x) const { return panels_.place_of_chip(chip, its_x); }
  const MenuBar& menus() const { return top_bar_.menus(); }
  const CommandBoxPanel& command_box() const { return command_box_; }
  const FrameStats& stats() const { return timeline_.stats(); }
  /// Shows a line in the status bar for a few seconds.
  void notify(std::string text, double now_s);
  /// The last text of notify(), even if it is no longer shown.
  const std::string& last_notice() const { return last_notice_; }
  /// Sets the page that is shown before anything is open. It must outlive the next frame.
  void set_start_page(const StartPage& page) { start_page_ = &page; }
  const StartPagePanel& start_page() const { return start_page_panel_; }
  /// Files hover over the window at `at`; none: they do not any more. `shift`: Shift is down.
  void set_drop_hover(std::optional<ImVec2> at, bool shift) { drop_panel_.hover(at, shift); }
  /// Files were dropped on the window.
  void drop(std::vector<std::string> paths, std::optional<ImVec2> at, bool shift);
  const OpenDialog& open_dialog() const { return open_dialog_; }
  const MissingBox& missing() const { return missing_; }
  /// Id of the last command of commands.inc that was given since the previous call, by key, menu or command box; empty: none.
  std::string take_given_command() { return std::exchange(given_command_, {}); }
  const DropPanel& drop_panel() const { return drop_panel_; }

 private:
  WindowLayout layout_of(ImVec2 size) const;
  void draw_timelines(const PanelContext& context, const SplitAreas& areas);
  void dispatch_keys(const PanelContext& context);
  void dispatch_keys_of_menus();
  void do_action(const Binding& binding);
  void collect_letters();
  /// Executes a command that concerns only the interface, such as its dialogs and pictures. False: it is for the workspace.
  bool execute_without_workspace(const Command& any);
  void save_svg(double now_s);
  void draw_dialogs(const PanelContext& context, const Area& whole);
  void collect_typed_letters(double now_s);
  /// Adds letters that were drawn without a glyph (of args, categories, paths) to the fonts. The next frame shows them.
  void collect_drawn_letters();

  Workspace& workspace_;
  Keys& keys_;
  Fonts& fonts_;
  Theme theme_;
  bool expects_text_ = false;
  CommandQueue commands_;
  Backdrop backdrop_;
  TopBar top_bar_;
  TabBar tab_bar_;
  std::vector<TabLabel> tabs_;
  MinimapPanel minimap_;
  GoToBox go_to_;
  CommandBoxPanel command_box_;
  MissingBox missing_;
  TimelinePanel timeline_, lower_;
  SplitHeader split_header_;
  StepStripPanel step_strip_;
  PanelPlaces panels_;
  StatusBar status_bar_;
  OpenDialog open_dialog_;
  DropPanel drop_panel_;
  ExportDialog export_;
  ManualPanel manual_;
  AboutLines about_;
  bool about_open_ = false;
  std::optional<command::Screenshot> svg_wanted_;  // set: the next frame is saved as this picture
  StartPagePanel start_page_panel_;
  StartPage no_start_page_;
  const StartPage* start_page_ = &no_start_page_;

  std::array<Area, 2> lanes_;  // by half
  // What the fonts have letters for: the names of this generation, the notes of this version, and these texts.
  std::uint64_t covered_generation_ = UINT64_MAX;
  std::uint64_t covered_notes_ = UINT64_MAX;
  std::string covered_search_, covered_lane_filter_;
  bool lacks_letters_ = false;      // no font of the system has letters that are needed
  bool reported_lack_ = false;
  int frames_with_late_letters_ = 0;  // frames that drew letters which are in no name
  std::string notice_, last_notice_, given_command_;
  double notice_until_s_ = 0;
  float prepared_scale_ = 0;
  ThemeKind prepared_theme_ = ThemeKind::Dark;
};

}  // namespace tv
