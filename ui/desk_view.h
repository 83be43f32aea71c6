// The interface of the tab manager: one Interface per tab, so that the state of a panel (caches, scroll, typed text) always belongs
// to the trace that is shown, and is restored when the tab is shown again. Only the current tab is drawn; the Interface of a closed
// tab is destroyed.
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

  /// The contents of the dialog "About", the same in every tab.
  void set_about(AboutLines lines) { about_ = std::move(lines); }
  /// The Interface of the current tab; it changes if take_requests() switches tabs.
  Interface& interface();
  /// prepare() between frames, frame() inside an ImGui frame, as for Interface.
  void prepare(float display_scale, float pixel_ratio = 1);
  void frame(ImVec2 size, float dt_s, double now_s);
  /// Id of the last command of the list that was executed in any tab; empty: none yet.
  const std::string& last_done() const { return last_done_; }
  /// After the frame: executes the commands that concern tabs.
  WindowRequests take_requests() { return desk_.take_requests(); }

 private:
  Desk& desk_;
  Keys& keys_;
  Fonts& fonts_;
  TimelineCanvas& canvas_;
  std::function<void()> wake_;
  std::map<std::uint64_t, std::unique_ptr<Interface>> interfaces_;  // by the tab's id
  AboutLines about_;
  std::string last_done_;
  std::uint64_t shown_ = 0;
};

}  // namespace tv
