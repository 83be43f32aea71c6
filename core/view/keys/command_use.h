// Which list of commands is open. Part of the window's state.
#pragma once

#include <optional>

#include "core/view/keys/commands.h"

namespace tv {

/// The facts about persisted state (core/session/desk/user_state.h) that commands need.
struct KeptFacts {
  bool session = false;  ///< there is a saved session
  bool sample = false;   ///< there is a sample
  bool recent = false;   ///< some recent files are not pinned
  bool operator==(const KeptFacts&) const = default;
};

struct CommandUse {
  std::optional<command::OpenCommandBox::Of> box;
  bool menus = false;

  /// Whether a list covers the timeline and takes the mouse. The slice that was hovered last then stays hovered.
  bool covers() const { return box || menus; }
};

}  // namespace tv
