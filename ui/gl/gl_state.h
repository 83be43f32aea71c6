// Saves the GL state that drawing a timeline changes, and restores it in the destructor. A timeline is drawn between ImGui's own
// draw commands, which must find their state unchanged. Cost: about 25 queries, 2 us with a desktop driver.
#pragma once

#include "ui/gl/gl_api.h"

namespace tv {

class GlStateGuard {
 public:
  explicit GlStateGuard(const GlApi& gl);
  ~GlStateGuard();
  GlStateGuard(const GlStateGuard&) = delete;
  GlStateGuard& operator=(const GlStateGuard&) = delete;

 private:
  static constexpr GLenum kSwitches[] = {GL_BLEND,        GL_SCISSOR_TEST, GL_DEPTH_TEST,
                                         GL_STENCIL_TEST, GL_CULL_FACE,    GL_PRIMITIVE_RESTART};
  static constexpr int kSwitchCount = sizeof(kSwitches) / sizeof(kSwitches[0]);

  const GlApi& gl_;
  GLboolean switches_[kSwitchCount];
  GLint program_, vertex_array_, array_buffer_, unpack_buffer_;
  GLint active_texture_, texture_, sampler_;  // texture and sampler: of unit 0
  GLint unpack_alignment_, unpack_row_length_, unpack_skip_rows_, unpack_skip_pixels_;
  GLint viewport_[4], scissor_[4];
  GLint blend_func_[4];      // colour source, colour destination, alpha source, alpha destination
  GLint blend_equation_[2];  // colour, alpha
};

}  // namespace tv
