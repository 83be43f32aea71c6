// The contents of ImGui's last frame, as text for tests: a line for each window, text and shape, in drawing order; texts and
// shapes with their box in whole pixels and their colour. Clipped parts are left out. The lanes' slices are drawn by ui/gl and
// are one line, "lanes"; the timeline's SVG has them. Letters are identified by their position in the font atlas. From 1.92 on,
// ImGui fills the atlas while drawing, and the text is empty.
#pragma once

#include <string>

namespace tv {

/// Call after a frame has ended and before the next begins.
std::string drawn_text();

}  // namespace tv
