// Draws strips: rows of folded slices, summaries and counters, with one texel per pixel column. The texels of a strip become a
// row of a texture, and the strip a quad that reads this row without filtering, so columns stay sharp.
//
//   texture row 0   ▒▒░░  ▓▓▓██░ ░  -> strip 0   Density: colour over the lane's background, alpha = coverage
//   texture row 1   ▂▄█▇▅▂▁    ▁▂▃  -> strip 1   Area: filled from the bottom to alpha * height
//
// Each frame sends 4 bytes per strip and column to the driver. This keeps software GL usable: 60 strips of 1920 columns cost a
// tenth of the same picture made of rectangles.
#pragma once

#include <span>

#include "core/view/timeline/draw_items.h"
#include "ui/gl/placement.h"
#include "ui/gl/stream_buffer.h"

namespace tv {

class StripAtlas {
 public:
  static Result<StripAtlas> create(const GlApi& gl);

  /// Each strip has `width_px` texels, from its first_texel on.
  void draw(std::span<const StripItem> strips, std::span<const Rgba> texels, int width_px,
            const Placement& where);
  std::size_t buffer_bytes() const;

 private:
  StripAtlas(const GlApi& gl, GlProgram program);
  void draw_page(std::span<const StripItem> strips, std::span<const Rgba> texels, int width_px);
  void reserve_texture(int width, int rows);
  void upload_texels(std::span<const StripItem> strips, std::span<const Rgba> texels, int width_px);

  const GlApi* gl_;
  GlProgram program_;
  GlVertexArray vertex_array_;
  StreamBuffer instances_;
  GlTexture texture_;
  int texture_width_ = 0, texture_rows_ = 0;
  GLint framebuffer_size_, origin_, pixel_ratio_, width_;  // uniforms
};

}  // namespace tv
