#include "ui/gl/gl_api.h"

namespace tv {

namespace {

std::string string_of(const GlApi& gl, GLenum name) {
  const GLubyte* text = gl.GetString(name);
  return text ? reinterpret_cast<const char*>(text) : "unknown";
}

}  // namespace

Result<GlApi> GlApi::load(GlLoader loader) {
  GlApi gl;
  const char* missing = nullptr;
#define TV_GL_LOAD(name)                                             \
  gl.name = reinterpret_cast<decltype(gl.name)>(loader("gl" #name)); \
  if (!gl.name) missing = "gl" #name;
  TV_GL_FUNCTIONS(TV_GL_LOAD)
#undef TV_GL_LOAD
  for (const char* const name : {"glGetGraphicsResetStatus", "glGetGraphicsResetStatusARB"}) {
    if (!gl.GetGraphicsResetStatus) gl.GetGraphicsResetStatus = reinterpret_cast<decltype(gl.GetGraphicsResetStatus)>(loader(name));
  }

  GLint major = 0, minor = 0;
  if (!missing) {
    gl.GetIntegerv(GL_MAJOR_VERSION, &major);
    gl.GetIntegerv(GL_MINOR_VERSION, &minor);
    if (major * 10 + minor >= 33) return gl;
  }
  std::string message = missing ? std::string("the OpenGL driver has no ") + missing
                                : "the OpenGL driver is too old: " + gl.description();
  return Error{std::move(message),
               {},
               {},
               "traceview needs OpenGL 3.3; set LIBGL_ALWAYS_SOFTWARE=1 to use Mesa's software driver"};
}

std::string GlApi::description() const {
  return string_of(*this, GL_RENDERER) + ", OpenGL " + string_of(*this, GL_VERSION);
}

}  // namespace tv
