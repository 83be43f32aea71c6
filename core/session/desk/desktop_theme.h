// Finds out whether the desktop is dark or light. On Linux, asks the portal (org.freedesktop.appearance color-scheme) with gdbus
// or busctl, else reads GTK_THEME, else asks gsettings. Each program may take a second: do not call this while drawing.
#pragma once

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/view/color/palette.h"

namespace tv {

/// Parses the output of gdbus ("(<<uint32 1>>,)") or busctl ("v v u 1"). None: no preference, or no answer.
std::optional<ThemeKind> theme_of_portal(std::string_view printed);
/// Parses the value of GTK_THEME, such as "Adwaita:dark". None if the name is empty.
std::optional<ThemeKind> theme_of_gtk(std::string_view name);
/// Parses the output of gsettings, such as "'prefer-dark'". None for 'default'.
std::optional<ThemeKind> theme_of_gsettings(std::string_view printed);

/// Runs a program and returns the first line of its output. Empty: the program does not exist, or has failed.
using AskProgram = std::function<std::string(const std::vector<std::string>& command)>;
/// None: the desktop does not say. `has_bus`: there is a session bus; without one, the portal and gsettings are not asked.
std::optional<ThemeKind> desktop_theme(const AskProgram& ask, std::string_view gtk_theme, bool has_bus);

/// desktop_theme() with real programs and the environment of this process.
std::optional<ThemeKind> ask_desktop_theme(std::stop_token stop);

}  // namespace tv
