// A framebuffer that is not on any screen, for screenshots and tests.
#pragma once

#include "ui/gl/gl_object.h"
#include "ui/gl/image.h"

namespace tv {

/// Reads the lower left part of the bound framebuffer. The image begins with the top row, and its pixels are opaque.
Image read_framebuffer(const GlApi& gl, int width, int height);

class Offscreen {
 public:
  /// Error: the size is not possible, or the driver refuses.
  static Result<Offscreen> create(const GlApi& gl, int width, int height);

  /// Binds the framebuffer for drawing and clears it to `background`, ignoring its alpha.
  void begin(Rgba background);
  /// The picture drawn since begin().
  Image read() const;

  int width() const { return width_; }
  int height() const { return height_; }

 private:
  Offscreen(const GlApi& gl, int width, int height);

  const GlApi* gl_;
  int width_, height_;
  GlTexture color_;
  GlFramebuffer framebuffer_;
};

}  // namespace tv
