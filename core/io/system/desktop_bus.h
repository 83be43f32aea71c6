// The desktop's own dialog for files, over D-Bus: org.freedesktop.portal.FileChooser
// (https://flatpak.github.io/xdg-desktop-portal/docs/doc-org.freedesktop.portal.FileChooser.html). It looks like
// the desktop's other dialogs and works in sandboxes. libdbus-1 is loaded at run time, not linked, because machines without a
// session bus may lack the library.
#pragma once

#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "core/base/result.h"

namespace tv {

struct PortalQuestion {
  std::string title, button;
  std::string name;    ///< proposed name of a file to be written
  std::string folder;  ///< initial folder; empty: the desktop's choice
  std::string window;  ///< the parent window: "x11:1e0003b"; may be empty
  bool saves = false;    ///< asks where to write a file, not which to open
  bool folders = false;  ///< asks for folders
  bool several = false;  ///< more than one can be chosen
  /// Titles and patterns of file types; the first is preselected.
  std::vector<std::pair<std::string, std::vector<std::string>>> kinds;
};

/// Waits for the user. Returns the chosen addresses (file:///...), none if the user cancelled. An error if there is no such dialog
/// here.
Result<std::vector<std::string>> ask_portal(const PortalQuestion& question, const std::stop_token& stop);

/// Whether there are a session bus and a library to talk to it. Only ask_portal() shows whether a portal answers.
bool may_ask_portal();

}  // namespace tv
