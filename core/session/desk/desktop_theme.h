// Whether the desktop is dark or light. On Linux the portal has this (org.freedesktop.appearance color-scheme), read by the
// system's programs gdbus or busctl; else GTK_THEME, else gsettings. Each may take a second, so it is not for the thread that
// draws.
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
/// Parses "Adwaita:dark". None if it is empty.
std::optional<ThemeKind> theme_of_gtk(std::string_view name);
/// Parses "'prefer-dark'". None for 'default'.
std::optional<ThemeKind> theme_of_gsettings(std::string_view printed);

/// Runs a program and returns its output on one line. Empty: there is no such program, or it has failed.
using AskProgram = std::function<std::string(const std::vector<std::string>& command)>;
/// None: the desktop has no such setting.
std::optional<ThemeKind> desktop_theme(const AskProgram& ask, std::string_view gtk_theme, bool has_bus);

/// With the programs and the environment of this process.
std::optional<ThemeKind> ask_desktop_theme(std::stop_token stop);

}  // namespace tv
