// The files that were open when the program ended, or a few seconds before it was killed: each view with its paths and its state,
// and the place of the window. Values and their JSON; remembered.h keeps them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace tv {

struct SavedView {
  std::vector<std::string> paths;  ///< whole ones
  std::string state;               ///< view_state.h, as JSON; empty: unknown
  bool operator==(const SavedView&) const = default;
};

struct SavedSession {
  std::vector<SavedView> views;
  std::size_t current = 0;    ///< index into views
  std::int64_t saved_s = 0;   ///< since the epoch
  std::int64_t process = 0;   ///< who wrote it
  bool ended = false;         ///< the program came to its end by itself
  bool operator==(const SavedSession&) const = default;
};

std::string session_text(const SavedSession& session);
/// Views without paths are left out; `current` is one of those that are there.
Result<SavedSession> session_from(const std::string& text);

/// Where the window is when it neither fills the screen nor is minimised, in the screen's units.
struct WindowPlace {
  int x = 0, y = 0, width = 0, height = 0;  ///< no width: unknown
  bool maximised = false;
  bool operator==(const WindowPlace&) const = default;
};

/// A screen, or the part of it that windows may take.
struct ScreenPart {
  int x = 0, y = 0, width = 0, height = 0;
};

std::string window_place_text(const WindowPlace& place);
Result<WindowPlace> window_place_from(const std::string& text);
/// None if there is no screen, or it is too small. The window is made no larger than the screen that holds most of it, and
/// moved until it lies on it. A window on a screen that is gone comes to the middle of the first.
std::optional<WindowPlace> place_on_screens(WindowPlace place, const std::vector<ScreenPart>& screens);

}  // namespace tv
