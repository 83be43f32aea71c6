// Text at a position, cut to a width. ImGui's own widgets are for forms; timelines need to put names where they belong.
#pragma once

#include <initializer_list>
#include <string_view>

#include "core/view/timeline/draw_items.h"
#include "imgui.h"

namespace tv {

float text_width(std::string_view text);
/// Whether the first line fits; O(letters that fit).
bool text_fits(std::string_view text, float width);

/// One line at `at` in the current font, its size times `scale`.
void draw_text(ImDrawList& list, ImVec2 at, Rgba color, std::string_view text, float scale = 1);

/// The same, shortened with "…" if it is wider than `width`; draws nothing if not even a letter fits. Returns the width used.
float draw_text_fitted(ImDrawList& list, ImVec2 at, float width, Rgba color, std::string_view text, float scale = 1);

/// The first of these hints that fits into a text box of this width, else the last.
const char* fitting_hint(std::initializer_list<const char*> hints, float box);

/// How many bytes of the text are on its first line when wrapped to a width; at least one letter, all if it fits.
std::size_t first_line_of(std::string_view text, float width);

/// A label and its value side by side in an ImGui window, the value wrapped and selectable by copy.
void label_and_value(const char* label, std::string_view value, float value_x, Rgba label_color);

}  // namespace tv
