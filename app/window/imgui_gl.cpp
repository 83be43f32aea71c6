#include "app/window/imgui_gl.h"

#include <imgui_impl_opengl3.h>

#include <cmath>

namespace tv {
namespace {

void clear(const GlApi& gl, Rgba color) {
  const ImVec4 parts = ImGui::ColorConvertU32ToFloat4(color);
  gl.ClearColor(parts.x, parts.y, parts.z, 1);
  gl.Clear(GL_COLOR_BUFFER_BIT);
}

}  // namespace

void new_frame_without_gl(Fonts& fonts) {
  ImGuiIO& io = ImGui::GetIO();
  io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;  // otherwise ImGui aborts at 65,536 vertices in a list
#if IMGUI_VERSION_NUM >= 19200
  io.BackendFlags |= ImGuiBackendFlags_RendererHasTextures;  // the textures are created once OpenGL is open
#endif
  if (fonts.needs_build()) fonts.build();
}

ImGuiGl::ImGuiGl() : loaded_(ImGui_ImplOpenGL3_Init("#version 330 core")) {}
ImGuiGl::~ImGuiGl() {
  if (loaded_) ImGui_ImplOpenGL3_Shutdown();
}

Result<void> ImGuiGl::loaded() const {
  if (loaded_) return {};
  return Error{"no OpenGL library: libGL.so.1 cannot be loaded", {}, {}, "install it: apt install libgl1"};
}

void ImGuiGl::new_frame(Fonts& fonts) {
  if (fonts.needs_build()) {
#if IMGUI_VERSION_NUM < 19200
    ImGui_ImplOpenGL3_DestroyFontsTexture();
    fonts.build();
    ImGui_ImplOpenGL3_CreateFontsTexture();
#else
    fonts.build();
#endif
  }
  ImGui_ImplOpenGL3_NewFrame();
}

void ImGuiGl::draw(const GlApi& gl, const Backdrop& backdrop) {
  ImDrawData& data = *ImGui::GetDrawData();
  const auto width = static_cast<GLsizei>(std::lround(data.DisplaySize.x * data.FramebufferScale.x));
  const auto height = static_cast<GLsizei>(std::lround(data.DisplaySize.y * data.FramebufferScale.y));
  gl.Viewport(0, 0, width, height);
  gl.Disable(GL_SCISSOR_TEST);
  clear(gl, backdrop.color());
  gl.Enable(GL_SCISSOR_TEST);
  // A pixel is covered if its centre is, as when OpenGL draws a rectangle.
  const auto pixel = [](float at, float scale) { return static_cast<GLint>(std::ceil(at * scale - 0.5f)); };
  for (const Backdrop::Surface& surface : backdrop.surfaces()) {
    const ImVec2 min = surface.area.min(), max = surface.area.max(), scale = data.FramebufferScale;
    const GLint left = pixel(min.x, scale.x), right = pixel(max.x, scale.x);
    const GLint top = pixel(min.y, scale.y), bottom = pixel(max.y, scale.y);
    gl.Scissor(left, height - bottom, right - left, bottom - top);
    clear(gl, surface.color);
  }
  gl.Disable(GL_SCISSOR_TEST);
  ImGui_ImplOpenGL3_RenderDrawData(&data);
}

}  // namespace tv
