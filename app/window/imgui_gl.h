// ImGui's OpenGL drawing, shared by the window and its headless twin.
#pragma once

#include "core/base/result.h"
#include "ui/gl/gl_api.h"
#include "ui/widgets/backdrop.h"
#include "ui/widgets/text/fonts.h"

namespace tv {

/// Before ImGui::NewFrame, for frames that are not drawn: builds the fonts if they changed. OpenGL can be opened later.
void new_frame_without_gl(Fonts& fonts);

/// ImGui's renderer; its lifetime is that of a GL context. The ImGui context must exist before.
class ImGuiGl {
 public:
  ImGuiGl();
  ~ImGuiGl();
  ImGuiGl(const ImGuiGl&) = delete;
  ImGuiGl& operator=(const ImGuiGl&) = delete;

  /// An error if ImGui's own loader does not find OpenGL: it loads libGL.so.1 even if the context comes from EGL. After an error no
  /// other function may be called.
  Result<void> loaded() const;

  /// Before ImGui::NewFrame: builds the fonts and uploads them to the GPU if they changed.
  void new_frame(Fonts& fonts);
  /// After ImGui::Render: clears the current framebuffer to the backdrop and draws.
  void draw(const GlApi& gl, const Backdrop& backdrop);

 private:
  bool loaded_;
};

}  // namespace tv
