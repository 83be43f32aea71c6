// The session, which is the views that were open when the program ended, or a few seconds before it was killed, each with its
// paths and its state. Also defines the window's position. These are values with their JSON; user_state.h stores them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace tv {

struct SavedView {
  std::vector<std::string> paths;  ///< absolute
  std::string state;               ///< view_state.h, as JSON; empty: unknown
  bool operator==(const SavedView&) const = default;
};

struct SavedSession {
  std::vector<SavedView> views;
  std::size_t current = 0;    ///< index into views
  std::int64_t saved_s = 0;   ///< since the epoch
  std::int64_t process = 0;   ///< process id of the writer
  bool ended = false;         ///< the program ended normally
  bool operator==(const SavedSession&) const = default;
};

std::string session_text(const SavedSession& session);
/// Leaves out views without paths. `current` is a valid index, or 0.
Result<SavedSession> session_from(const std::string& text);

/// The window's position when it is neither maximised nor minimised, in screen units.
struct WindowPlace {
  int x = 0, y = 0, width = 0, height = 0;  ///< width 0: unknown
  bool maximised = false;
  bool operator==(const WindowPlace&) const = default;
};

/// A screen, or the part of it that is available to windows.
struct ScreenPart {
  int x = 0, y = 0, width = 0, height = 0;
};

std::string window_place_text(const WindowPlace& place);
Result<WindowPlace> window_place_from(const std::string& text);
/// Shrinks the window to the screen that shows most of it, and moves it there. A window on a screen that is gone goes to the
/// middle of the first screen. None if there is no screen, or the window is unusably small.
std::optional<WindowPlace> place_on_screens(WindowPlace place, const std::vector<ScreenPart>& screens);

}  // namespace tv
