// The context of a panel that draws. Panels read the workspace, draw into their rectangle and push commands. They do not know each
// other.
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
  Workspace& workspace;  ///< only for reading; changes go through `commands`
  CommandQueue& commands;
  Keys& keys;  ///< only for reading, except that tables claim keys
  const Theme& theme;
  const Fonts& fonts;
  Backdrop& backdrop;  ///< for opaque backgrounds, except of popups
  double now_s = 0;
  float dt_s = 0;
  bool over_the_rest = false;  ///< an overlay lies over the panels and has the keyboard

  template <class C>
  void push(C command) const {
    commands.push(Command(std::move(command)));
  }
};

}  // namespace tv
