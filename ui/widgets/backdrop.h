// The bottom layer of a frame: one colour for the whole window, and on top the opaque backgrounds of bars, panels and lanes.
// These areas are cleared instead of drawn. ImGui draws a rectangle with a texture and blending, which took a third of the time
// of a frame without a GPU.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/view/timeline/draw_items.h"
#include "ui/widgets/area.h"

namespace tv {

class Backdrop {
 public:
  struct Surface {
    Area area;
    Rgba color;
  };

  /// `scope`: the scope of the windows on the backdrop. Windows with the same name in two scopes have separate scroll and focus.
  Backdrop(Rgba color = {}, std::uint64_t scope = 0) : color_(color), scope_(scope) {}

  void begin(Rgba color) {
    color_ = color;
    surfaces_.clear();
  }
  /// Adds an area, which covers those added before. `color` must be opaque.
  void add(const Area& area, Rgba color) {
    if (area.width > 0 && area.height > 0) surfaces_.push_back({area, color});
  }

  std::uint64_t scope() const { return scope_; }
  Rgba color() const { return color_; }
  std::span<const Surface> surfaces() const { return surfaces_; }

 private:
  Rgba color_;
  std::uint64_t scope_;
  std::vector<Surface> surfaces_;  // the next frame reuses the memory
};

}  // namespace tv
