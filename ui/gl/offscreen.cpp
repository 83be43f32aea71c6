#include "ui/gl/offscreen.h"

#include <algorithm>

namespace tv {

Result<Offscreen> Offscreen::create(const GlApi& gl, int width, int height) {
  GLint largest = 0;
  gl.GetIntegerv(GL_MAX_TEXTURE_SIZE, &largest);
  if (width <= 0 || height <= 0 || width > largest || height > largest)
    return Error{
        "a picture of " + std::to_string(width) + " x " + std::to_string(height) + " pixels cannot be drawn",
        {},
        {},
        "choose a width and a height from 1 to " + std::to_string(largest)};
  Offscreen offscreen(gl, width, height);
  if (gl.CheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
    return Error{"the OpenGL driver cannot draw into a texture", {}, {}, "update the graphics driver"};
  return offscreen;
}

Offscreen::Offscreen(const GlApi& gl, int width, int height)
    : gl_(&gl), width_(width), height_(height), color_(make_texture(gl)), framebuffer_(make_framebuffer(gl)) {
  gl.TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
  gl.BindFramebuffer(GL_FRAMEBUFFER, framebuffer_.name());
  gl.FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, color_.name(), 0);
}

void Offscreen::begin(Rgba background) {
  const auto part = [background](int shift) {
    return static_cast<float>(background >> shift & 0xff) / 255.0f;
  };
  gl_->BindFramebuffer(GL_FRAMEBUFFER, framebuffer_.name());
  gl_->Viewport(0, 0, width_, height_);
  gl_->Disable(GL_SCISSOR_TEST);
  gl_->ClearColor(part(0), part(8), part(16), 1.0f);
  gl_->Clear(GL_COLOR_BUFFER_BIT);
}

Image Offscreen::read() const {
  gl_->BindFramebuffer(GL_FRAMEBUFFER, framebuffer_.name());
  return read_framebuffer(*gl_, width_, height_);
}

Image read_framebuffer(const GlApi& gl, int width, int height) {
  Image image{width, height, {}};
  image.pixels.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
  gl.BindBuffer(GL_PIXEL_PACK_BUFFER, 0);
  gl.PixelStorei(GL_PACK_ALIGNMENT, 4);
  gl.ReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, image.pixels.data());

  const auto row = [&](int y) { return image.pixels.begin() + static_cast<std::ptrdiff_t>(y) * width; };
  for (int y = 0; y < height / 2; ++y) std::swap_ranges(row(y), row(y + 1), row(height - 1 - y));
  for (Rgba& pixel : image.pixels) pixel |= 0xff000000;
  return image;
}

}  // namespace tv
