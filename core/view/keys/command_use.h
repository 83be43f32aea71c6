// Which list of commands is open, and which commands were last chosen. Part of the window's state.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/view/keys/commands.h"

namespace tv {

/// The facts about persisted state (core/session/desk/user_state.h) that commands need.
struct KeptFacts {
  bool session = false, sample = false, recent = false;  ///< there is a saved session or a sample; `recent`: the list has files
                                                         ///< that are not pinned
  bool operator==(const KeptFacts&) const = default;
};

struct CommandUse {
  static constexpr std::size_t kMostRecent = 30;

  std::optional<command::OpenCommandBox::Of> box;
  bool menus = false;
  std::vector<std::string> recent;  ///< ids, most recent first

  /// Whether a list covers the timeline and takes the mouse. The last hovered slice then stays hovered.
  bool covers() const { return box || menus; }
  void note(std::string id) {
    std::erase(recent, id);
    recent.insert(recent.begin(), std::move(id));
    if (recent.size() > kMostRecent) recent.resize(kMostRecent);
  }
};

}  // namespace tv
