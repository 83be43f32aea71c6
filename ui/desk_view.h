// The interface of a desk: one Interface per tab, so that what a panel keeps (caches, scroll, typed words) is always of the
// trace that is shown, and is there again after a switch. Only the current one is drawn; those of closed tabs go.
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

  /// What the dialog "About" says, in every tab.
  void set_about(AboutLines lines) { about_ = std::move(lines); }
  /// Of the current tab; another one after take_requests() has switched.
  Interface& interface();
  /// Between frames, and inside an ImGui frame, as of Interface.
  void prepare(float display_scale, float pixel_ratio = 1);
  void frame(ImVec2 size, float dt_s, double now_s);
  /// Id of the command of the list that was done last, in whatever tab; empty: none yet.
  const std::string& last_done() const { return last_done_; }
  /// After the frame: carries out what concerns tabs.
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
