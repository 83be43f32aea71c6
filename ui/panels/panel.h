// What a panel is given to draw with. Panels read the workspace, draw into their rectangle and push commands; they know
// nothing of each other.
#pragma once

#include <string_view>

#include "core/session/workspace.h"
#include "core/view/commands.h"
#include "imgui.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/keys.h"
#include "ui/widgets/theme.h"

namespace tv {

/// A part of the window, in ImGui units.
struct Area {
  float x = 0, y = 0, width = 0, height = 0;

  ImVec2 min() const { return {x, y}; }
  ImVec2 max() const { return {x + width, y + height}; }
  ImVec2 size() const { return {width, height}; }
  bool contains(ImVec2 p) const { return p.x >= x && p.x < x + width && p.y >= y && p.y < y + height; }
};

struct PanelContext {
  Workspace& workspace;  ///< to read; what changes it goes through `commands`
  CommandQueue& commands;
  const Keys& keys;
  const Theme& theme;
  const Fonts& fonts;
  double now_s = 0;
  float dt_s = 0;

  template <class C>
  void push(C command) const {
    commands.push(Command(std::move(command)));
  }
};

}  // namespace tv
