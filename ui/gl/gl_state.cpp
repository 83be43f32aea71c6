#include "ui/gl/gl_state.h"

namespace tv {

namespace {

GLint get(const GlApi& gl, GLenum what) {
  GLint value = 0;
  gl.GetIntegerv(what, &value);
  return value;
}

GLuint name(GLint value) { return static_cast<GLuint>(value); }
GLenum as_enum(GLint value) { return static_cast<GLenum>(value); }

}  // namespace

GlStateGuard::GlStateGuard(const GlApi& gl) : gl_(gl) {
  for (int i = 0; i < kSwitchCount; ++i) switches_[i] = gl.IsEnabled(kSwitches[i]);
  program_ = get(gl, GL_CURRENT_PROGRAM);
  vertex_array_ = get(gl, GL_VERTEX_ARRAY_BINDING);
  array_buffer_ = get(gl, GL_ARRAY_BUFFER_BINDING);
  unpack_buffer_ = get(gl, GL_PIXEL_UNPACK_BUFFER_BINDING);
  active_texture_ = get(gl, GL_ACTIVE_TEXTURE);
  gl.ActiveTexture(GL_TEXTURE0);
  texture_ = get(gl, GL_TEXTURE_BINDING_2D);
  sampler_ = get(gl, GL_SAMPLER_BINDING);
  unpack_alignment_ = get(gl, GL_UNPACK_ALIGNMENT);
  unpack_row_length_ = get(gl, GL_UNPACK_ROW_LENGTH);
  unpack_skip_rows_ = get(gl, GL_UNPACK_SKIP_ROWS);
  unpack_skip_pixels_ = get(gl, GL_UNPACK_SKIP_PIXELS);
  gl.GetIntegerv(GL_VIEWPORT, viewport_);
  gl.GetIntegerv(GL_SCISSOR_BOX, scissor_);
  blend_func_[0] = get(gl, GL_BLEND_SRC_RGB);
  blend_func_[1] = get(gl, GL_BLEND_DST_RGB);
  blend_func_[2] = get(gl, GL_BLEND_SRC_ALPHA);
  blend_func_[3] = get(gl, GL_BLEND_DST_ALPHA);
  blend_equation_[0] = get(gl, GL_BLEND_EQUATION_RGB);
  blend_equation_[1] = get(gl, GL_BLEND_EQUATION_ALPHA);
}

GlStateGuard::~GlStateGuard() {
  for (int i = 0; i < kSwitchCount; ++i) {
    if (switches_[i]) {
      gl_.Enable(kSwitches[i]);
    } else {
      gl_.Disable(kSwitches[i]);
    }
  }
  gl_.UseProgram(name(program_));
  gl_.BindVertexArray(name(vertex_array_));
  gl_.BindBuffer(GL_ARRAY_BUFFER, name(array_buffer_));
  gl_.BindBuffer(GL_PIXEL_UNPACK_BUFFER, name(unpack_buffer_));
  gl_.ActiveTexture(GL_TEXTURE0);
  gl_.BindTexture(GL_TEXTURE_2D, name(texture_));
  gl_.BindSampler(0, name(sampler_));
  gl_.ActiveTexture(as_enum(active_texture_));
  gl_.PixelStorei(GL_UNPACK_ALIGNMENT, unpack_alignment_);
  gl_.PixelStorei(GL_UNPACK_ROW_LENGTH, unpack_row_length_);
  gl_.PixelStorei(GL_UNPACK_SKIP_ROWS, unpack_skip_rows_);
  gl_.PixelStorei(GL_UNPACK_SKIP_PIXELS, unpack_skip_pixels_);
  gl_.Viewport(viewport_[0], viewport_[1], viewport_[2], viewport_[3]);
  gl_.Scissor(scissor_[0], scissor_[1], scissor_[2], scissor_[3]);
  gl_.BlendFuncSeparate(as_enum(blend_func_[0]), as_enum(blend_func_[1]), as_enum(blend_func_[2]),
                        as_enum(blend_func_[3]));
  gl_.BlendEquationSeparate(as_enum(blend_equation_[0]), as_enum(blend_equation_[1]));
}

}  // namespace tv
