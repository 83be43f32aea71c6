// Draws slices that are at least a pixel wide as instanced rectangles: one draw call for the plain ones, and one on top for the few
// with a style. Without styled slices, the items are uploaded without a copy.
//
//   edges are rounded to whole pixels; a slice wider than 3 px leaves its last pixel free for a gap
//
//   | plain         |/ /hatched/ / /|        <>          ~clipped on both sides~
//   x0            x1-1             x1    diamond at x0   fades towards the edge it was cut at
//
// Each rectangle sends 24 bytes per frame to the driver.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "core/view/timeline/draw_items.h"
#include "ui/gl/placement.h"
#include "ui/gl/stream_buffer.h"

namespace tv {

class RectBatch {
 public:
  static Result<RectBatch> create(const GlApi& gl);

  void draw(std::span<const RectItem> rects, const Placement& where);
  std::size_t buffer_bytes() const;

 private:
  /// One shader program with its own buffer.
  class Pass {
   public:
    static Result<Pass> create(const GlApi& gl, std::string_view fragment_shader);
    void draw(std::span<const RectItem> rects, const Placement& where);
    std::size_t buffer_bytes() const { return instances_.capacity_bytes(); }

   private:
    Pass(const GlApi& gl, GlProgram program);

    const GlApi* gl_;
    GlProgram program_;
    GlVertexArray vertex_array_;
    StreamBuffer instances_;
    GLint framebuffer_size_, origin_, pixel_ratio_, ui_scale_;  // uniforms
  };

  RectBatch(Pass plain, Pass styled) : plain_(std::move(plain)), styled_(std::move(styled)) {}

  Pass plain_, styled_;
  std::vector<RectItem> plain_rects_, styled_rects_;  // the items of one draw(); memory is reused
};

}  // namespace tv
