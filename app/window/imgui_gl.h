// Draws ImGui's frames with OpenGL, for the window and for the offscreen window.
#pragma once

#include "core/base/result.h"
#include "ui/gl/gl_api.h"
#include "ui/widgets/backdrop.h"
#include "ui/widgets/text/fonts.h"

namespace tv {

/// Call before ImGui::NewFrame for frames that are not drawn. Builds the fonts if they changed. OpenGL can be opened later.
void new_frame_without_gl(Fonts& fonts);

/// ImGui's renderer. It lives as long as its GL context and needs an ImGui context.
class ImGuiGl {
 public:
  ImGuiGl();
  ~ImGuiGl();
  ImGuiGl(const ImGuiGl&) = delete;
  ImGuiGl& operator=(const ImGuiGl&) = delete;

  /// Error: ImGui's own loader does not find OpenGL. That loader needs libGL.so.1 even if the context comes from EGL. After an
  /// error, call no other function.
  Result<void> loaded() const;

  /// Call before ImGui::NewFrame. Builds the fonts and uploads them to the GPU if they changed.
  void new_frame(Fonts& fonts);
  /// Call after ImGui::Render. Clears the current framebuffer to the backdrop and draws the frame.
  void draw(const GlApi& gl, const Backdrop& backdrop);

 private:
  bool loaded_;
};

}  // namespace tv
