// The whole interface: lays out the panels, turns keys into commands, applies the commands. The real window, screenshots
// and the scripted driver all run this same code.
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
  /// `id`: id of its tab, if there may be several.
  Interface(Workspace& workspace, Keys& keys, Fonts& fonts, TimelineCanvas& canvas, std::function<void()> wake,
            std::uint64_t id = 0);

  /// Between frames: sets theme, scale and fonts for the next one. `display_scale`: the screen's, without the user's setting.
  void prepare(float display_scale, float pixel_ratio = 1);
  /// Inside an ImGui frame.
  void frame(ImVec2 size, float dt_s, double now_s);

  /// The backdrop that the last frame() is drawn on.
  const Backdrop& backdrop() const { return backdrop_; }
  const Theme& theme() const { return theme_; }
  CommandQueue& commands() { return commands_; }
  /// Something moves without input: keep drawing.
  bool animating() const;
  /// The last frame opened a text box that does not have the keyboard yet: typed text must be held back for it.
  bool expects_text() const { return expects_text_; }
  /// All tabs, before a frame; with fewer than two there is no tab bar.
  void set_tabs(std::vector<TabLabel> tabs) { tabs_ = std::move(tabs); }
  const TabBar& tab_bar() const { return tab_bar_; }
  /// Position of the lanes in the last frame.
  Area lanes_area(SplitHalf half = SplitHalf::Upper) const { return lanes_[ix(half)]; }
  /// Area of "timeline" or of a panel, for screenshots; none: it is not shown.
  std::optional<Area> area_shown(std::string_view what) const;
  /// Id and title of all panels that have data.
  std::vector<std::pair<std::string, std::string>> panels_with_data() const;
  /// The contents of the dialog "About".
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
  std::optional<ImVec2> place_of_chip(std::size_t chip, bool its_x) const { return panels_.place_of_chip(chip, its_x); }
  const MenuBar& menus() const { return top_bar_.menus(); }
  const CommandBoxPanel& command_box() const { return command_box_; }
  const FrameStats& stats() const { return timeline_.stats(); }
  /// Shows a line in the status bar for a few seconds.
  void notify(std::string text, double now_s);
  /// The last such line, even if it is no longer shown.
  const std::string& last_notice() const { return last_notice_; }
  /// The page shown before anything is open; it must outlive the next frame.
  void set_start_page(const StartPage& page) { start_page_ = &page; }
  const StartPagePanel& start_page() const { return start_panel_; }
  /// Files hover over the window, or were dropped on it. `shift`: Shift is down.
  void set_drop_hover(std::optional<ImVec2> at, bool shift) { drop_panel_.hover(at, shift); }
  void drop(std::vector<std::string> paths, std::optional<ImVec2> at, bool shift);
  const OpenDialog& open_dialog() const { return open_dialog_; }
  const MissingBox& missing() const { return missing_; }
  /// Id of the command of the list that was executed since the last call, by key, menu or box; empty: none.
  std::string take_done() { return std::exchange(done_, {}); }
  const DropPanel& drop_panel() const { return drop_panel_; }

 private:
  WindowLayout layout_of(ImVec2 size) const;
  void draw_timelines(const PanelContext& context, const SplitAreas& areas);
  void dispatch_keys(const PanelContext& context);
  void dispatch_keys_of_menus();
  void do_action(const Binding& binding);
  void collect_letters();
  bool take_own(const Command& any);
  void save_svg(double now_s);
  void draw_dialogs(const PanelContext& context, const Area& whole);
  void collect_typed_letters(double now_s);
  /// Collects letters that were drawn without a glyph (args, categories, paths). The next frame has them.
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
  std::optional<command::Screenshot> svg_wanted_;
  StartPagePanel start_panel_;
  StartPage no_start_page_;
  const StartPage* start_page_ = &no_start_page_;

  std::array<Area, 2> lanes_;  // by half
  std::uint64_t letters_of_ = UINT64_MAX;  // generation whose names the fonts cover
  std::uint64_t letters_of_notes_ = UINT64_MAX;
  std::string letters_of_search_, letters_of_lanes_;  // texts that the fonts cover
  bool lacks_letters_ = false, said_lacks_letters_ = false;
  int late_letters_ = 0;  ///< how often letters came up that no name had
  std::string notice_, last_notice_, done_;
  double notice_until_s_ = 0;
  float prepared_scale_ = 0;
  ThemeKind prepared_theme_ = ThemeKind::Dark;
};

}  // namespace tv
