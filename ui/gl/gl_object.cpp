#include "ui/gl/gl_object.h"

#include <string>

namespace tv {

namespace {

template <class GetLog>
std::string log_text(GetLog get_log) {
  char text[2000];
  GLsizei length = 0;
  get_log(GLsizei{sizeof text}, &length, text);
  return std::string(text, static_cast<std::size_t>(length));
}

Result<GlShader> compile(const GlApi& gl, const char* what, GLenum kind, std::string_view source) {
  GlShader shader(gl, gl.CreateShader(kind));
  const char* text = source.data();
  const auto length = static_cast<GLint>(source.size());
  gl.ShaderSource(shader.name(), 1, &text, &length);
  gl.CompileShader(shader.name());
  GLint ok = 0;
  gl.GetShaderiv(shader.name(), GL_COMPILE_STATUS, &ok);
  if (ok) return shader;
  const std::string log = log_text([&](GLsizei size, GLsizei* written, char* out) {
    gl.GetShaderInfoLog(shader.name(), size, written, out);
  });
  return Error{
      std::string("the ") + what + " shader does not compile: " + log, {}, {}, "update the graphics driver"};
}

}  // namespace

GlBuffer make_buffer(const GlApi& gl) {
  GLuint name = 0;
  gl.GenBuffers(1, &name);
  return {gl, name};
}

GlFramebuffer make_framebuffer(const GlApi& gl) {
  GLuint name = 0;
  gl.GenFramebuffers(1, &name);
  return {gl, name};
}

GlVertexArray make_vertex_array(const GlApi& gl) {
  GLuint name = 0;
  gl.GenVertexArrays(1, &name);
  return {gl, name};
}

GlTexture make_texture(const GlApi& gl) {
  GLuint name = 0;
  gl.GenTextures(1, &name);
  gl.BindTexture(GL_TEXTURE_2D, name);
  gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  return {gl, name};
}

Result<GlProgram> make_program(const GlApi& gl, const char* what, std::string_view vertex,
                               std::string_view fragment) {
  auto vertex_shader = compile(gl, what, GL_VERTEX_SHADER, vertex);
  if (!vertex_shader) return vertex_shader.error();
  auto fragment_shader = compile(gl, what, GL_FRAGMENT_SHADER, fragment);
  if (!fragment_shader) return fragment_shader.error();

  GlProgram program(gl, gl.CreateProgram());
  gl.AttachShader(program.name(), vertex_shader->name());
  gl.AttachShader(program.name(), fragment_shader->name());
  gl.LinkProgram(program.name());
  GLint ok = 0;
  gl.GetProgramiv(program.name(), GL_LINK_STATUS, &ok);
  if (ok) return program;
  const std::string log = log_text([&](GLsizei size, GLsizei* written, char* out) {
    gl.GetProgramInfoLog(program.name(), size, written, out);
  });
  return Error{
      std::string("the ") + what + " shaders do not link: " + log, {}, {}, "update the graphics driver"};
}

}  // namespace tv
