// What lies under everything else in a frame: one colour all over the window, and on it the opaque backgrounds of bars, panels
// and lanes. They are cleared instead of drawn: ImGui draws a rectangle with a texture and blending, which without a GPU took
// a third of a frame's time.
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

  /// `scope`: of the windows on it; those of one name in two scopes keep their scroll and focus apart.
  Backdrop(Rgba color = {}, std::uint64_t scope = 0) : color_(color), scope_(scope) {}

  void begin(Rgba color) {
    color_ = color;
    surfaces_.clear();
  }
  /// Above those added before. `color` is opaque.
  void add(const Area& area, Rgba color) {
    if (area.width > 0 && area.height > 0) surfaces_.push_back({area, color});
  }

  std::uint64_t scope() const { return scope_; }
  Rgba color() const { return color_; }
  std::span<const Surface> surfaces() const { return surfaces_; }

 private:
  Rgba color_;
  std::uint64_t scope_;
  std::vector<Surface> surfaces_;  // its memory is used again in the next frame
};

}  // namespace tv
