// The OpenGL 3.3 core functions that this program calls, looked up at run time. So nothing links against a GL library, and the same
// code draws into a window (GLFW) and into memory (EGL). GlApi is plain data and not global, so that a test can replace a function.
// It must outlive every object made with it.
#pragma once

#ifndef GL_GLEXT_PROTOTYPES
#define GL_GLEXT_PROTOTYPES  // declares the functions, whose types the table below takes
#endif
#include <GL/glcorearb.h>

#include "core/base/result.h"

namespace tv {

/// glfwGetProcAddress or eglGetProcAddress with a common signature; returns null for an unknown name.
using GlLoader = void* (*)(const char* name);

// clang-format off
#define TV_GL_FUNCTIONS(X)                                                                      \
  /* shaders */                                                                                 \
  X(AttachShader) X(CompileShader) X(CreateProgram) X(CreateShader) X(DeleteProgram)            \
  X(DeleteShader) X(GetProgramInfoLog) X(GetProgramiv) X(GetShaderInfoLog) X(GetShaderiv)       \
  X(GetUniformLocation) X(LinkProgram) X(ShaderSource) X(Uniform1f) X(Uniform1i) X(Uniform2f)   \
  X(UseProgram)                                                                                 \
  /* buffers and drawing */                                                                     \
  X(BindBuffer) X(BindVertexArray) X(BufferData) X(BufferSubData) X(DeleteBuffers)              \
  X(DeleteVertexArrays) X(DrawArraysInstanced) X(EnableVertexAttribArray) X(GenBuffers)         \
  X(GenVertexArrays) X(VertexAttribDivisor) X(VertexAttribIPointer) X(VertexAttribPointer)      \
  /* textures and framebuffers */                                                               \
  X(ActiveTexture) X(BindFramebuffer) X(BindSampler) X(BindTexture) X(CheckFramebufferStatus)   \
  X(DeleteFramebuffers) X(DeleteTextures) X(FramebufferTexture2D) X(GenFramebuffers)            \
  X(GenTextures) X(PixelStorei) X(ReadPixels) X(TexImage2D) X(TexParameteri) X(TexSubImage2D)   \
  /* state */                                                                                   \
  X(BlendEquationSeparate) X(BlendFuncSeparate) X(Clear) X(ClearColor) X(Disable) X(Enable)     \
  X(Finish) X(GetError) X(GetIntegerv) X(GetString) X(IsEnabled) X(Scissor) X(Viewport)
// clang-format on

struct GlApi {
#define TV_GL_MEMBER(name) decltype(&::gl##name) name = nullptr;
  TV_GL_FUNCTIONS(TV_GL_MEMBER)
#undef TV_GL_MEMBER

  decltype(&::glGetGraphicsResetStatus) GetGraphicsResetStatus = nullptr;  ///< null: neither GL 4.5 nor GL_ARB_robustness

  /// The driver has lost the context, because the GPU was reset or removed. Drawing has no effect any more.
  bool lost() const { return GetGraphicsResetStatus && GetGraphicsResetStatus() != GL_NO_ERROR; }

  /// Looks up the functions. Needs a current context; fails if its OpenGL is older than 3.3.
  static Result<GlApi> load(GlLoader loader);

  /// "Mesa llvmpipe (LLVM 15), OpenGL 4.5": for --version and the debug panel.
  std::string description() const;
};

}  // namespace tv
