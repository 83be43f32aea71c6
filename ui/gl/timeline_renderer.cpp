#include "ui/gl/timeline_renderer.h"

#include "ui/gl/dense_rows.h"
#include "ui/gl/gl_state.h"
#include "ui/gl/rect_batch.h"
#include "ui/gl/strip_atlas.h"

namespace tv {

struct TimelineRenderer::Parts {
  const GlApi& gl;
  StripAtlas strips;
  RectBatch rects;
  DenseRows rows = {};
};

Result<TimelineRenderer> TimelineRenderer::create(const GlApi& gl) {
  const GlStateGuard guard(gl);
  auto strips = StripAtlas::create(gl);
  if (!strips) return strips.error();
  auto rects = RectBatch::create(gl);
  if (!rects) return rects.error();
  return TimelineRenderer(std::make_unique<Parts>(Parts{gl, std::move(*strips), std::move(*rects)}));
}

TimelineRenderer::TimelineRenderer(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
TimelineRenderer::TimelineRenderer(TimelineRenderer&&) noexcept = default;
TimelineRenderer& TimelineRenderer::operator=(TimelineRenderer&&) noexcept = default;
TimelineRenderer::~TimelineRenderer() = default;

void TimelineRenderer::draw(const TimelineFrame& frame, const Placement& where) {
  const int clip_width = where.clip_x1 - where.clip_x0, clip_height = where.clip_y1 - where.clip_y0;
  if (clip_width <= 0 || clip_height <= 0) return;

  const GlApi& gl = parts_->gl;
  const GlStateGuard guard(gl);
  for (const GLenum off : {GL_DEPTH_TEST, GL_STENCIL_TEST, GL_CULL_FACE, GL_PRIMITIVE_RESTART})
    gl.Disable(off);
  gl.Enable(GL_BLEND);
  gl.BlendEquationSeparate(GL_FUNC_ADD, GL_FUNC_ADD);
  gl.BlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  gl.Viewport(0, 0, where.framebuffer_width, where.framebuffer_height);
  gl.Enable(GL_SCISSOR_TEST);
  gl.Scissor(where.clip_x0, where.framebuffer_height - where.clip_y1, clip_width, clip_height);

  DenseRows& rows = parts_->rows;
  rows.take(frame, where);
  parts_->strips.draw(rows.strips(), rows.texels(), static_cast<int>(frame.width_px), where);
  parts_->rects.draw(rows.rects(), where);
}

std::size_t TimelineRenderer::buffer_bytes() const {
  return parts_->strips.buffer_bytes() + parts_->rects.buffer_bytes();
}

}  // namespace tv
