// A framebuffer that is not on any screen, for screenshots and tests.
#pragma once

#include "ui/gl/gl_object.h"
#include "ui/gl/image.h"

namespace tv {

/// The lower left part of the bound framebuffer, as a picture with opaque pixels.
Image read_framebuffer(const GlApi& gl, int width, int height);

class Offscreen {
 public:
  static Result<Offscreen> create(const GlApi& gl, int width, int height);

  /// Makes it the target of drawing, cleared to `background`.
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
