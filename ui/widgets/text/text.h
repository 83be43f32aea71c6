// Draws and measures text at any position, cut to a width. ImGui's own text widgets follow the layout of a window.
#pragma once

#include <initializer_list>
#include <string_view>

#include "core/view/timeline/draw_items.h"
#include "imgui.h"

namespace tv {

float text_width(std::string_view text);
/// Whether the first line of the text fits; O(letters that fit).
bool text_fits(std::string_view text, float width);

/// Draws one line at `at`, in the current font times `scale`.
void draw_text(ImDrawList& list, ImVec2 at, Rgba color, std::string_view text, float scale = 1);

/// The same, but only the first line, shortened with "…" if it is wider than `width`. Draws nothing if not even a letter fits.
/// Returns the width used.
float draw_text_fitted(ImDrawList& list, ImVec2 at, float width, Rgba color, std::string_view text, float scale = 1);

/// The first hint that fits into a text box of this width, else the last hint.
const char* fitting_hint(std::initializer_list<const char*> hints, float box);

/// How many bytes of the text are on the first line if it is wrapped to a width; at least one letter, all if the text fits.
std::size_t first_line_of(std::string_view text, float width);

/// Draws a label and, next to it at `value_x`, its value, wrapped to the width of the current ImGui window.
void label_and_value(const char* label, std::string_view value, float value_x, Rgba label_color);

}  // namespace tv
