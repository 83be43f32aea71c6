// Owners of OpenGL objects, such as GlBuffer from make_buffer(). They can be moved but not copied. The destructor deletes the
// object; the object's context must then be current.
#pragma once

#include <string_view>
#include <utility>

#include "ui/gl/gl_api.h"

namespace tv {

/// `Delete` deletes one object by its name.
template <void (*Delete)(const GlApi&, GLuint)>
class GlObject {
 public:
  GlObject() = default;
  GlObject(const GlApi& gl, GLuint name) : gl_(&gl), name_(name) {}
  GlObject(GlObject&& other) noexcept : gl_(other.gl_), name_(std::exchange(other.name_, 0)) {}
  GlObject& operator=(GlObject&& other) noexcept {
    std::swap(gl_, other.gl_);
    std::swap(name_, other.name_);
    return *this;
  }
  ~GlObject() {
    if (name_ != 0) Delete(*gl_, name_);
  }

  GLuint name() const { return name_; }

 private:
  const GlApi* gl_ = nullptr;
  GLuint name_ = 0;
};

namespace gl_delete {
inline void buffer(const GlApi& gl, GLuint name) { gl.DeleteBuffers(1, &name); }
inline void framebuffer(const GlApi& gl, GLuint name) { gl.DeleteFramebuffers(1, &name); }
inline void program(const GlApi& gl, GLuint name) { gl.DeleteProgram(name); }
inline void shader(const GlApi& gl, GLuint name) { gl.DeleteShader(name); }
inline void texture(const GlApi& gl, GLuint name) { gl.DeleteTextures(1, &name); }
inline void vertex_array(const GlApi& gl, GLuint name) { gl.DeleteVertexArrays(1, &name); }
}  // namespace gl_delete

using GlBuffer = GlObject<gl_delete::buffer>;
using GlFramebuffer = GlObject<gl_delete::framebuffer>;
using GlProgram = GlObject<gl_delete::program>;
using GlShader = GlObject<gl_delete::shader>;
using GlTexture = GlObject<gl_delete::texture>;
using GlVertexArray = GlObject<gl_delete::vertex_array>;

GlBuffer make_buffer(const GlApi& gl);
GlFramebuffer make_framebuffer(const GlApi& gl);
GlVertexArray make_vertex_array(const GlApi& gl);
/// A texture with nearest sampling, clamped at the edges. It stays bound to the active unit.
GlTexture make_texture(const GlApi& gl);

/// Compiles and links a shader program. The error message contains `what` and the driver's log.
Result<GlProgram> make_program(const GlApi& gl, const char* what, std::string_view vertex,
                               std::string_view fragment);

}  // namespace tv
