// The context that a panel draws with. Panels read the workspace, draw into their rectangle and push commands; they know nothing of
// each other.
#pragma once

#include <string_view>

#include "core/session/workspace/workspace.h"
#include "core/view/keys/commands.h"
#include "ui/widgets/area.h"
#include "ui/widgets/backdrop.h"
#include "ui/widgets/input/keys.h"
#include "ui/widgets/text/fonts.h"
#include "ui/widgets/theme.h"

namespace tv {

struct PanelContext {
  Workspace& workspace;  ///< to read only; changes go through `commands`
  CommandQueue& commands;
  Keys& keys;  ///< to read only, but a table with the keyboard claims its keys
  const Theme& theme;
  const Fonts& fonts;
  Backdrop& backdrop;  ///< for opaque backgrounds; popups draw theirs themselves
  double now_s = 0;
  float dt_s = 0;
  bool over_the_rest = false;  ///< an overlay of the interface lies over the panels, and has the keyboard

  template <class C>
  void push(C command) const {
    commands.push(Command(std::move(command)));
  }
};

}  // namespace tv
