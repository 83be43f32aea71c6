// Draws the strips and rectangles of a TimelineFrame into the current framebuffer. The panel draws the frame's texts and arrows
// with ImGui. The renderer does not know ImGui; ui/widgets/timeline_canvas.h connects the two.
//
// A frame takes up to three draw calls, and one more for each further 1,024 strips. It allocates nothing while frames stay the same
// size. All GL state is restored afterwards. This header includes no GL, so panels may include it.
#pragma once

#include <cstddef>
#include <memory>

#include "core/base/result.h"
#include "core/view/timeline/draw_items.h"
#include "ui/gl/placement.h"

namespace tv {

struct GlApi;

class TimelineRenderer {
 public:
  /// The context that `gl` was loaded from must be current now, in draw() and in the destructor.
  static Result<TimelineRenderer> create(const GlApi& gl);
  TimelineRenderer(TimelineRenderer&&) noexcept;
  TimelineRenderer& operator=(TimelineRenderer&&) noexcept;
  ~TimelineRenderer();

  void draw(const TimelineFrame& frame, const Placement& where);

  /// Memory that the driver holds; constant in steady state.
  std::size_t buffer_bytes() const;

 private:
  struct Parts;
  explicit TimelineRenderer(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

}  // namespace tv
