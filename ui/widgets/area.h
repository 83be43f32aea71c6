// A rectangle of the window, in ImGui units.
#pragma once

#include <algorithm>

#include "imgui.h"

namespace tv {

struct Area {
  float x = 0, y = 0, width = 0, height = 0;

  ImVec2 min() const { return {x, y}; }
  ImVec2 max() const { return {x + width, y + height}; }
  ImVec2 size() const { return {width, height}; }
  /// The point this far from min().
  ImVec2 at(float right, float down) const { return {x + right, y + down}; }
  bool contains(ImVec2 p) const { return p.x >= x && p.x < x + width && p.y >= y && p.y < y + height; }
  /// The intersection; its width or height is 0 if the areas do not overlap.
  Area common(const Area& other) const {
    const float left = std::max(x, other.x), top = std::max(y, other.y);
    const float right = std::min(x + width, other.x + other.width), bottom = std::min(y + height, other.y + other.height);
    return {left, top, std::max(0.0f, right - left), std::max(0.0f, bottom - top)};
  }
};

}  // namespace tv
