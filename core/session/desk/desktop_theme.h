// Whether the desktop is dark or light. On Linux it asks the portal (org.freedesktop.appearance color-scheme) with gdbus or
// busctl, else reads GTK_THEME, else asks gsettings. Each program may take a second, so this must not run on the thread that
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

/// Runs a program and returns the first line of its output. Empty: there is no such program, or it has failed.
using AskProgram = std::function<std::string(const std::vector<std::string>& command)>;
/// None: the desktop has no such setting.
std::optional<ThemeKind> desktop_theme(const AskProgram& ask, std::string_view gtk_theme, bool has_bus);

/// With the programs and the environment of this process.
std::optional<ThemeKind> ask_desktop_theme(std::stop_token stop);

}  // namespace tv
