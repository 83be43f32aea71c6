#include "ui/gl/strip_atlas.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstddef>

#include "embedded_shaders.h"

namespace tv {

static_assert(sizeof(StripItem) == 16, "StripItem is the vertex format");

namespace {

/// More strips than this are drawn in several pages. OpenGL 3.3 guarantees textures of this height.
constexpr std::size_t kPageRows = 1024;

}  // namespace

Result<StripAtlas> StripAtlas::create(const GlApi& gl) {
  auto program = make_program(gl, "strip", embedded::k_strip_vert_glsl, embedded::k_strip_frag_glsl);
  if (!program) return program.error();
  return StripAtlas(gl, std::move(*program));
}

StripAtlas::StripAtlas(const GlApi& gl, GlProgram program)
    : gl_(&gl), program_(std::move(program)), vertex_array_(make_vertex_array(gl)), instances_(gl) {
  framebuffer_size_ = gl.GetUniformLocation(program_.name(), "u_framebuffer_size");
  origin_ = gl.GetUniformLocation(program_.name(), "u_origin");
  pixel_ratio_ = gl.GetUniformLocation(program_.name(), "u_pixel_ratio");
  width_ = gl.GetUniformLocation(program_.name(), "u_width");

  const auto offset = [](std::size_t bytes) { return reinterpret_cast<const void*>(bytes); };
  gl.BindVertexArray(vertex_array_.name());
  instances_.upload({});
  gl.VertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, sizeof(StripItem), offset(offsetof(StripItem, y)));
  gl.VertexAttribIPointer(1, 1, GL_UNSIGNED_INT, sizeof(StripItem), offset(offsetof(StripItem, kind)));
  for (GLuint attribute = 0; attribute < 2; ++attribute) {
    gl.EnableVertexAttribArray(attribute);
    gl.VertexAttribDivisor(attribute, 1);
  }
}

void StripAtlas::draw(std::span<const StripItem> strips, std::span<const Rgba> texels, int width_px,
                      const Placement& where) {
  if (strips.empty() || width_px <= 0) return;
  gl_->UseProgram(program_.name());
  gl_->Uniform2f(framebuffer_size_, static_cast<float>(where.framebuffer_width),
                 static_cast<float>(where.framebuffer_height));
  gl_->Uniform2f(origin_, static_cast<float>(where.x), static_cast<float>(where.y));
  gl_->Uniform1f(pixel_ratio_, where.pixel_ratio);
  gl_->Uniform1f(width_, static_cast<float>(width_px));
  gl_->ActiveTexture(GL_TEXTURE0);
  gl_->BindSampler(0, 0);
  for (std::size_t first = 0; first < strips.size(); first += kPageRows)
    draw_page(strips.subspan(first, std::min(kPageRows, strips.size() - first)), texels, width_px);
}

void StripAtlas::draw_page(std::span<const StripItem> strips, std::span<const Rgba> texels, int width_px) {
  reserve_texture(width_px, static_cast<int>(strips.size()));
  upload_texels(strips, texels, width_px);
  instances_.upload(std::as_bytes(strips));
  gl_->BindVertexArray(vertex_array_.name());
  gl_->DrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, static_cast<GLsizei>(strips.size()));
}

void StripAtlas::reserve_texture(int width, int rows) {
  if (texture_.name() == 0) texture_ = make_texture(*gl_);
  gl_->BindTexture(GL_TEXTURE_2D, texture_.name());
  if (width <= texture_width_ && rows <= texture_rows_) return;
  const auto grown = [](int size) { return static_cast<int>(std::bit_ceil(static_cast<unsigned>(size))); };
  texture_width_ = std::max(texture_width_, (width + 255) / 256 * 256);
  texture_rows_ = std::max(texture_rows_, grown(rows));
  gl_->TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, texture_width_, texture_rows_, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                  nullptr);
}

void StripAtlas::upload_texels(std::span<const StripItem> strips, std::span<const Rgba> texels,
                               int width_px) {
  gl_->BindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
  gl_->PixelStorei(GL_UNPACK_ALIGNMENT, 4);
  gl_->PixelStorei(GL_UNPACK_ROW_LENGTH, 0);
  gl_->PixelStorei(GL_UNPACK_SKIP_ROWS, 0);
  gl_->PixelStorei(GL_UNPACK_SKIP_PIXELS, 0);

  // The texels of strips are usually contiguous, so each run of strips is one upload.
  const auto width = static_cast<std::size_t>(width_px);
  for (std::size_t begin = 0, end = 0; begin < strips.size(); begin = end) {
    end = begin + 1;
    while (end < strips.size() && strips[end].first_texel == strips[end - 1].first_texel + width) ++end;
    assert(strips[begin].first_texel + (end - begin) * width <= texels.size());
    gl_->TexSubImage2D(GL_TEXTURE_2D, 0, 0, static_cast<GLint>(begin), width_px,
                       static_cast<GLsizei>(end - begin), GL_RGBA, GL_UNSIGNED_BYTE,
                       texels.data() + strips[begin].first_texel);
  }
}

std::size_t StripAtlas::buffer_bytes() const {
  return instances_.capacity_bytes() +
         static_cast<std::size_t>(texture_width_) * static_cast<std::size_t>(texture_rows_) * sizeof(Rgba);
}

}  // namespace tv
