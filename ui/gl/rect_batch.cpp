#include "ui/gl/rect_batch.h"

#include <algorithm>
#include <cstddef>
#include <iterator>

#include "embedded_shaders.h"

namespace tv {

static_assert(sizeof(RectItem) == 24, "RectItem is the vertex format");

Result<RectBatch::Pass> RectBatch::Pass::create(const GlApi& gl, std::string_view fragment_shader) {
  auto program = make_program(gl, "rectangle", embedded::k_rect_vert_glsl, fragment_shader);
  if (!program) return program.error();
  return Pass(gl, std::move(*program));
}

RectBatch::Pass::Pass(const GlApi& gl, GlProgram program)
    : gl_(&gl), program_(std::move(program)), vertex_array_(make_vertex_array(gl)), instances_(gl) {
  framebuffer_size_ = gl.GetUniformLocation(program_.name(), "u_framebuffer_size");
  origin_ = gl.GetUniformLocation(program_.name(), "u_origin");
  pixel_ratio_ = gl.GetUniformLocation(program_.name(), "u_pixel_ratio");
  ui_scale_ = gl.GetUniformLocation(program_.name(), "u_ui_scale");

  const auto offset = [](std::size_t bytes) { return reinterpret_cast<const void*>(bytes); };
  gl.BindVertexArray(vertex_array_.name());
  instances_.upload({});
  gl.VertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, sizeof(RectItem), offset(offsetof(RectItem, x0)));
  gl.VertexAttribPointer(1, 4, GL_UNSIGNED_BYTE, GL_TRUE, sizeof(RectItem),
                         offset(offsetof(RectItem, color)));
  gl.VertexAttribIPointer(2, 1, GL_UNSIGNED_INT, sizeof(RectItem), offset(offsetof(RectItem, style)));
  for (GLuint attribute = 0; attribute < 3; ++attribute) {
    gl.EnableVertexAttribArray(attribute);
    gl.VertexAttribDivisor(attribute, 1);
  }
}

void RectBatch::Pass::draw(std::span<const RectItem> rects, const Placement& where) {
  if (rects.empty()) return;
  instances_.upload(std::as_bytes(rects));
  gl_->BindVertexArray(vertex_array_.name());
  gl_->UseProgram(program_.name());
  gl_->Uniform2f(framebuffer_size_, static_cast<float>(where.framebuffer_width),
                 static_cast<float>(where.framebuffer_height));
  gl_->Uniform2f(origin_, static_cast<float>(where.x), static_cast<float>(where.y));
  gl_->Uniform1f(pixel_ratio_, where.pixel_ratio);
  gl_->Uniform1f(ui_scale_, where.ui_scale);
  gl_->DrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, static_cast<GLsizei>(rects.size()));
}

Result<RectBatch> RectBatch::create(const GlApi& gl) {
  auto plain = Pass::create(gl, embedded::k_rect_plain_frag_glsl);
  if (!plain) return plain.error();
  auto styled = Pass::create(gl, embedded::k_rect_styled_frag_glsl);
  if (!styled) return styled.error();
  return RectBatch(std::move(*plain), std::move(*styled));
}

void RectBatch::draw(std::span<const RectItem> rects, const Placement& where) {
  const auto is_plain = [](const RectItem& rect) { return rect.style == kPlain; };
  if (std::all_of(rects.begin(), rects.end(), is_plain)) {
    plain_.draw(rects, where);
    return;
  }
  plain_rects_.clear();
  styled_rects_.clear();
  std::partition_copy(rects.begin(), rects.end(), std::back_inserter(plain_rects_),
                      std::back_inserter(styled_rects_), is_plain);
  plain_.draw(plain_rects_, where);
  styled_.draw(styled_rects_, where);
}

std::size_t RectBatch::buffer_bytes() const { return plain_.buffer_bytes() + styled_.buffer_bytes(); }

}  // namespace tv
