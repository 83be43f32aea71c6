// Slices that are at least a pixel wide: all of them in one instanced draw call, straight from the frame's own array.
//
//   edges are rounded to whole pixels; a slice wider than 3 px leaves its last pixel free, so neighbours stay apart
//
//   | plain         |/ /hatched/ / /|        <>          ~clipped on both sides~
//   x0            x1-1             x1    diamond at x0   fades towards the edge it was cut at
//
// 24 bytes each are sent per frame.
#pragma once

#include <span>

#include "core/view/draw_items.h"
#include "ui/gl/placement.h"
#include "ui/gl/stream_buffer.h"

namespace tv {

class RectBatch {
 public:
  static Result<RectBatch> create(const GlApi& gl);

  void draw(std::span<const RectItem> rects, const Placement& where);
  std::size_t buffer_bytes() const { return instances_.capacity_bytes(); }

 private:
  RectBatch(const GlApi& gl, GlProgram program);

  const GlApi* gl_;
  GlProgram program_;
  GlVertexArray vertex_array_;
  StreamBuffer instances_;
  GLint framebuffer_size_, origin_, pixel_ratio_, ui_scale_;  // uniforms
};

}  // namespace tv
