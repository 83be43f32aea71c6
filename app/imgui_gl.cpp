#include "app/imgui_gl.h"

#include <imgui_impl_opengl3.h>

#include <cmath>

namespace tv {

ImGuiGl::ImGuiGl() { ImGui_ImplOpenGL3_Init("#version 330 core"); }
ImGuiGl::~ImGuiGl() { ImGui_ImplOpenGL3_Shutdown(); }

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

void ImGuiGl::draw(const GlApi& gl, Rgba background) {
  ImDrawData& data = *ImGui::GetDrawData();
  const ImVec4 color = ImGui::ColorConvertU32ToFloat4(background);
  gl.Viewport(0, 0, static_cast<GLsizei>(std::lround(data.DisplaySize.x * data.FramebufferScale.x)),
              static_cast<GLsizei>(std::lround(data.DisplaySize.y * data.FramebufferScale.y)));
  gl.Disable(GL_SCISSOR_TEST);
  gl.ClearColor(color.x, color.y, color.z, 1);
  gl.Clear(GL_COLOR_BUFFER_BIT);
  ImGui_ImplOpenGL3_RenderDrawData(&data);
}

}  // namespace tv
