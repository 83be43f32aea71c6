// What ImGui drew in the last frame, as text for tests: a line for each text and each shape, in the order of drawing, with its box in
// whole pixels and its colour. What is clipped away is left out. The lanes' slices are drawn by ui/gl and are one line, "lanes";
// the timeline's SVG has them. Letters are known by their place in the atlas of fonts, which ImGui fills as it draws from 1.92 on:
// the text is empty then.
#pragma once

#include <string>

namespace tv {

/// After a frame has ended, before the next begins.
std::string drawn_text();

}  // namespace tv
