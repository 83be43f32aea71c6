// A window without a display. It draws the same panels with the same renderer as Window, but into memory, with EGL. Its input
// comes from a script (HeadlessIo), and every frame lasts 1/60 s.
//
//   auto window = OffscreenWindow::create({1280, 720}, keys, fonts);
//   window->begin_frame(); ... panels ...; window->end_frame(backdrop);
//   write_png("shot.png", window->screenshot());
//
// OpenGL is opened only on request, because frames that are not drawn do not need it and opening Mesa's software driver takes
// longer than most scripts.
#pragma once

#include <memory>

#include "core/base/result.h"
#include "ui/gl/gl_api.h"
#include "ui/gl/image.h"
#include "ui/widgets/backdrop.h"
#include "ui/widgets/input/headless_io.h"
#include "ui/widgets/text/fonts.h"

namespace tv {

class OffscreenWindow {
 public:
  struct Size {
    int width, height;  ///< in pixels
  };

  /// Also creates the ImGui context. `keys` and `fonts` must outlive the window. Does not open OpenGL.
  OffscreenWindow(Size size, Keys& keys, Fonts& fonts);
  /// Like the constructor, and opens OpenGL.
  static Result<OffscreenWindow> create(Size size, Keys& keys, Fonts& fonts);
  OffscreenWindow(OffscreenWindow&&) noexcept;
  OffscreenWindow& operator=(OffscreenWindow&&) noexcept;
  ~OffscreenWindow();

  /// Call it between frames. If OpenGL is open and does not support the size, the window keeps its old size.
  Result<void> resize(Size size);
  /// Call it between frames. Does nothing if OpenGL is already open. The error says what to install, or that OpenGL does not
  /// support the size of the window.
  Result<void> open_gl();

  /// Requires open_gl().
  const GlApi& gl() const;
  Size size() const;
  /// The scripted mouse and keyboard.
  HeadlessIo& io();

  void begin_frame();
  /// With `draw` false, the panels are updated but no pixels are drawn. Drawing and screenshot() require open_gl().
  void end_frame(const Backdrop& backdrop, bool draw = true);
  Image screenshot() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tv
