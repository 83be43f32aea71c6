// ImGui's OpenGL drawing, shared by the window and its headless twin.
#pragma once

#include "core/base/result.h"
#include "ui/gl/gl_api.h"
#include "ui/widgets/backdrop.h"
#include "ui/widgets/text/fonts.h"

namespace tv {

/// Before ImGui::NewFrame, for frames that are not drawn: builds the fonts when they changed. OpenGL can be opened later.
void new_frame_without_gl(Fonts& fonts);

/// ImGui's drawing half, alive while a GL context is. The ImGui context must exist before.
class ImGuiGl {
 public:
  ImGuiGl();
  ~ImGuiGl();
  ImGuiGl(const ImGuiGl&) = delete;
  ImGuiGl& operator=(const ImGuiGl&) = delete;

  /// An error when ImGui's own loader does not find OpenGL. It loads libGL.so.1 even when the context comes from EGL. After an
  /// error no other function may be called.
  Result<void> loaded() const;

  /// Before ImGui::NewFrame: builds the fonts and sends them to the GPU when they changed.
  void new_frame(Fonts& fonts);
  /// After ImGui::Render: clears the current framebuffer to the backdrop and draws.
  void draw(const GlApi& gl, const Backdrop& backdrop);

 private:
  bool loaded_;
};

}  // namespace tv
