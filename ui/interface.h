// The whole interface: lays out the panels, turns keys into commands, applies the commands. The real window, screenshots
// and the scripted driver all run this same code.
#pragma once

#include <functional>
#include <string>

#include "core/session/workspace.h"
#include "ui/panels/chart_panel.h"
#include "ui/panels/clocks_panel.h"
#include "ui/panels/command_panels.h"
#include "ui/panels/drop_panel.h"
#include "ui/panels/hits_panel.h"
#include "ui/panels/missing_box.h"
#include "ui/panels/notes_panel.h"
#include "ui/panels/open_dialog.h"
#include "ui/panels/side_panels.h"
#include "ui/panels/step_strip_panel.h"
#include "ui/panels/tab_bar.h"
#include "ui/panels/timeline_panel.h"
#include "ui/widgets/backdrop.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/keys.h"
#include "ui/widgets/theme.h"
#include "ui/widgets/timeline_canvas.h"

namespace tv {

class Interface {
 public:
  /// `id`: of its tab, where there may be several.
  Interface(Workspace& workspace, Keys& keys, Fonts& fonts, TimelineCanvas& canvas, std::function<void()> wake,
            std::uint64_t id = 0);

  /// Between frames: theme, scale and fonts for the next one. `display_scale`: of the screen, without the user's setting.
  void prepare(float display_scale, float pixel_ratio = 1);
  /// Inside an ImGui frame.
  void frame(ImVec2 size, float dt_s, double now_s);

  /// What the last frame() is drawn on.
  const Backdrop& backdrop() const { return backdrop_; }
  const Theme& theme() const { return theme_; }
  CommandQueue& commands() { return commands_; }
  /// Something moves without input: keep drawing.
  bool animating() const;
  /// The last frame opened a text box: what is typed now is meant for it, though it has not got the keyboard yet.
  bool expects_text() const { return expects_text_; }
  /// All tabs of the desk, before a frame; with fewer than two there is no bar of them.
  void set_tabs(std::vector<TabWords> tabs) { tabs_ = std::move(tabs); }
  const TabBar& tab_bar() const { return tab_bar_; }
  /// Where the lanes were in the last frame.
  Area lanes_area() const { return lanes_; }
  /// Where things are in the last frame, for scripts.
  std::optional<ImVec2> place_of_tab(std::string_view panel) const;
  const StepStripPanel& step_strip() const { return step_strip_; }
  const ChartPanel& charts() const { return charts_; }
  const ClocksPanel& clocks() const { return clocks_; }
  const HitsPanel& hits() const { return hits_; }
  const StatisticsPanel& statistics() const { return statistics_; }
  const TimelinePanel& timeline() const { return timeline_; }
  std::optional<ImVec2> place_of_chip(std::size_t chip, bool its_x) const { return filter_bar_.place_of(chip, its_x); }
  const MenuBar& menus() const { return top_bar_.menus(); }
  const CommandBoxPanel& command_box() const { return command_box_; }
  const NotesPanel& notes() const { return notes_; }
  const FrameStats& stats() const { return timeline_.stats(); }
  /// A line in the status bar for a few seconds.
  void notify(std::string text, double now_s);
  /// The last such line, whether it is still there or not.
  const std::string& last_notice() const { return last_notice_; }
  /// Files hover over the window, and are dropped on it. `shift`: it is down.
  void set_drop_hover(std::optional<ImVec2> at, bool shift) { drop_panel_.hover(at, shift); }
  void drop(std::vector<std::string> paths, std::optional<ImVec2> at, bool shift);
  const OpenDialog& open_dialog() const { return open_dialog_; }
  const DropPanel& drop_panel() const { return drop_panel_; }

 private:
  struct Layout {
    Area top, tabs, steps, minimap, timeline, splitter, drawer, status;
  };
  // The panel table: a line per panel of the drawer.
  struct Panel {
    std::string_view id, title, hint;
    std::optional<RunPart> of;  ///< only where there are such logs
    std::function<void(const PanelContext&)> draw;
    std::function<void(const PanelContext&)> above = {};  ///< in the lines between the tabs and what scrolls
    bool of_clocks = false;  ///< only where there are several
    bool of_run = false;     ///< only where there is anything to analyse
    ImVec2 tab = {-1, -1};  ///< middle of its tab in the last frame
  };
  bool drawer_shown() const;
  bool charts_shown() const;
  float& drawer_height() { return charts_shown() ? chart_drawer_height_ : drawer_height_; }
  Layout layout_of(ImVec2 size) const;
  void dispatch_keys(const PanelContext& context);
  void dispatch_keys_of_menus(const PanelContext& context);
  std::vector<Panel> make_panels();
  void draw_tabs(const PanelContext& context);
  void draw_details(const PanelContext& context);
  void draw_drawer(const PanelContext& context, const Layout& layout);
  void collect_letters();
  void collect_typed_letters(double now_s);

  Workspace& workspace_;
  Keys& keys_;
  Fonts& fonts_;
  Theme theme_;
  bool expects_text_ = false;
  CommandQueue commands_;
  Backdrop backdrop_;
  TopBar top_bar_;
  TabBar tab_bar_;
  std::vector<TabWords> tabs_;
  MinimapPanel minimap_;
  GoToBox go_to_;
  MissingBox missing_;
  CommandBoxPanel command_box_;
  TimelinePanel timeline_;
  DetailsPanel details_;
  StatisticsPanel statistics_;
  NotesPanel notes_;
  ProblemsPanel problems_;
  StepStripPanel step_strip_;
  FilterBar filter_bar_;
  ChartPanel charts_;
  ClocksPanel clocks_;
  HitsPanel hits_;
  std::vector<Panel> panels_;
  StatusBar status_bar_;
  OpenDialog open_dialog_;
  DropPanel drop_panel_;

  Area lanes_;
  float drawer_height_ = 230, chart_drawer_height_ = 440;  // at scale 1; charts need more than lists do
  bool dragging_drawer_ = false, drawer_dragged_ = false;
  std::uint64_t letters_of_ = UINT64_MAX;  // generation whose names the fonts know
  std::string letters_of_search_, letters_of_lanes_;  // that they know
  bool lacks_letters_ = false, said_lacks_letters_ = false;
  std::uint64_t letters_of_notes_ = UINT64_MAX;
  std::string notice_, last_notice_;
  double notice_until_s_ = 0;
  float prepared_scale_ = 0;
  ThemeKind prepared_theme_ = ThemeKind::Dark;
};

}  // namespace tv
