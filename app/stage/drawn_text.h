// Describes ImGui's last frame as text, for tests. Each window, text and shape is a line, in drawing order; texts and shapes have
// their box in whole pixels and their colour. Clipped parts are left out. ui/gl draws the slices, which are only one line here,
// "lanes"; tests check slices in the SVG of the timeline. Letters are identified by their position in the font atlas. From
// ImGui 1.92 on, the atlas is filled while drawing, so drawn_text() returns an empty text.
#pragma once

#include <string>

namespace tv {

/// Call after a frame has ended and before the next begins.
std::string drawn_text();

}  // namespace tv
