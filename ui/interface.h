// The whole interface: lays out the panels, turns keys into commands, applies the commands. The real window, screenshots
// and the scripted driver all run this same code.
#pragma once

#include <functional>
#include <string>

#include "core/session/workspace.h"
#include "ui/panels/command_panels.h"
#include "ui/panels/panel_places.h"
#include "ui/panels/side_panels.h"
#include "ui/panels/step_strip_panel.h"
#include "ui/panels/timeline_panel.h"
#include "ui/widgets/backdrop.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/keys.h"
#include "ui/widgets/theme.h"
#include "ui/widgets/timeline_canvas.h"

namespace tv {

class Interface {
 public:
  Interface(Workspace& workspace, Keys& keys, Fonts& fonts, TimelineCanvas& canvas, std::function<void()> wake);

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
  /// Where the lanes were in the last frame.
  Area lanes_area() const { return lanes_; }
  /// Where things are in the last frame, for scripts.
  const PanelPlaces& panels() const { return panels_; }
  const StepStripPanel& step_strip() const { return step_strip_; }
  const ChartPanel& charts() const { return panels_.charts(); }
  const ClocksPanel& clocks() const { return panels_.clocks(); }
  const StatisticsPanel& statistics() const { return panels_.statistics(); }
  const TimelinePanel& timeline() const { return timeline_; }
  const NotesPanel& notes() const { return panels_.notes(); }
  std::optional<ImVec2> place_of_chip(std::size_t chip, bool its_x) const { return panels_.place_of_chip(chip, its_x); }
  const MenuBar& menus() const { return top_bar_.menus(); }
  const CommandBoxPanel& command_box() const { return command_box_; }
  const FrameStats& stats() const { return timeline_.stats(); }
  /// A line in the status bar for a few seconds.
  void notify(std::string text, double now_s);
  /// The last such line, whether it is still there or not.
  const std::string& last_notice() const { return last_notice_; }
  /// Files hover over the window; with `add`, a drop would open them beside what is open.
  void set_drop_target(bool on, bool add = false) {
    drop_target_ = on;
    drop_adds_ = add;
  }

 private:
  WindowLayout layout_of(ImVec2 size) const;
  void dispatch_keys(const PanelContext& context);
  void dispatch_keys_of_menus(const PanelContext& context);
  void collect_letters();
  void draw_drop_target(const Area& whole) const;

  Workspace& workspace_;
  Keys& keys_;
  Fonts& fonts_;
  Theme theme_;
  bool expects_text_ = false;
  CommandQueue commands_;
  Backdrop backdrop_;
  TopBar top_bar_;
  MinimapPanel minimap_;
  GoToBox go_to_;
  CommandBoxPanel command_box_;
  TimelinePanel timeline_;
  StepStripPanel step_strip_;
  PanelPlaces panels_;
  StatusBar status_bar_;
  OpenDialog open_dialog_;

  Area lanes_;
  bool drop_target_ = false, drop_adds_ = false;
  std::uint64_t letters_of_ = UINT64_MAX;  // generation whose names the fonts know
  std::uint64_t letters_of_notes_ = UINT64_MAX;
  std::string notice_, last_notice_;
  double notice_until_s_ = 0;
  float prepared_scale_ = 0;
  ThemeKind prepared_theme_ = ThemeKind::Dark;
};

}  // namespace tv
