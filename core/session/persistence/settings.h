// The user's settings. All views of the program share them, and a file that people can read and edit stores them
// (settings_text.cpp). A new setting needs one line in the table in settings.cpp, which defines its key and comment in the file,
// its environment variable and its line in `traceview settings`.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/view/color/appearance.h"
#include "core/view/color/palette.h"
#include "core/view/color/theme_choice.h"
#include "core/view/words/time_style.h"

namespace tv {

enum class ReopenChoice : std::uint8_t { Offer, Always, Never };

inline constexpr float kLeastTextSize = 0.6f, kMostTextSize = 3.0f;
inline constexpr float kLeastNamesWidth = 60, kMostNamesWidth = 700;

struct Settings {
  ThemeChoice theme = ThemeChoice::System;
  float text_size = 1;  ///< 1 = normal
  TimeFormat times = TimeFormat::SinceBegin;
  PaletteKind palette = PaletteKind::Usual;
  bool reduced_motion = false;
  float names_width = 210;  ///< of the lanes' names, in pixels at scale 1
  ReopenChoice reopen = ReopenChoice::Offer;
  std::uint64_t memory_limit = 0;  ///< bytes; 0 = nine tenths of available memory
  std::string nsys;                ///< program that exports reports; empty: found in the PATH
  bool cache = true;               ///< use the index cache

  /// The desktop's theme: not a setting, and not stored.
  ThemeKind desktop_theme = ThemeKind::Dark;

  ThemeKind shown_theme() const {
    return theme == ThemeChoice::System ? desktop_theme : theme == ThemeChoice::Light ? ThemeKind::Light : ThemeKind::Dark;
  }
  bool operator==(const Settings&) const = default;
};

/// A setting as stored in the file.
struct SettingLine {
  std::string_view key;      ///< "text_size"
  std::string_view comment;  ///< for people, with the allowed values
  std::string value;         ///< as TOML: "\"system\"", "1.1", "true"
};

/// All settings, in the file's order.
std::vector<SettingLine> setting_lines(const Settings& settings);
/// The environment variable that overrides the file: "TRACEVIEW_TEXT_SIZE".
std::string setting_variable(std::string_view key);
/// Sets a value as typed by a person, without quotes. Returns why it is refused, as the end of a sentence; empty: it was set.
std::string take_setting(Settings& settings, std::string_view key, const std::string& value);

/// The settings with the values of a file, and a message with a line number for each part that is not understood.
struct SettingsRead {
  Settings settings;
  std::vector<std::string> complaints;
};
/// Applies the text of a settings file to `settings`. An error, with the line, if the text is not TOML.
Result<SettingsRead> read_settings(std::string_view text, const Settings& settings = {});

/// The text of a settings file, with new values for the settings that differ from `before`. Everything else stays, including
/// comments and unknown keys. An empty text becomes a complete file. An error if the text is not TOML.
Result<std::string> edited_settings(std::string_view text, const Settings& before, const Settings& now);

}  // namespace tv
