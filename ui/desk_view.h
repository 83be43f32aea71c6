// Draws a Desk. Each tab has its own Interface, so that the state of the panels (caches, scroll, typed text) belongs to the trace
// shown and is still there when the user returns to the tab. Only the current tab is drawn; the Interface of a closed tab is
// destroyed.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "core/session/desk/desk.h"
#include "ui/interface.h"

namespace tv {

class DeskView {
 public:
  DeskView(Desk& desk, Keys& keys, Fonts& fonts, TimelineCanvas& canvas, std::function<void()> wake);

  /// Sets the contents of the dialog "About", for all tabs.
  void set_about(AboutLines lines) { about_ = std::move(lines); }
  /// The Interface of the current tab. take_requests() may switch to another one.
  Interface& interface();
  /// As in Interface: call prepare() between frames, frame() inside an ImGui frame.
  void prepare(float display_scale, float pixel_ratio = 1);
  void frame(ImVec2 size, float dt_s, double now_s);
  /// The command of the list that was last executed in any tab, by its id; empty: none yet.
  const std::string& last_command() const { return last_command_; }
  /// Call after the frame. Executes the commands that concern tabs, and returns the requests to the window.
  WindowRequests take_requests() { return desk_.take_requests(); }

 private:
  Desk& desk_;
  Keys& keys_;
  Fonts& fonts_;
  TimelineCanvas& canvas_;
  std::function<void()> wake_;
  std::map<std::uint64_t, std::unique_ptr<Interface>> interfaces_;  // by the tab's id
  AboutLines about_;
  std::string last_command_;
  std::uint64_t shown_id_ = 0;
};

}  // namespace tv
