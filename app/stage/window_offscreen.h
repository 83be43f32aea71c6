// The window without a display: the same panels and the same renderer as Window, drawn into memory through
// EGL. Input comes from a script (HeadlessIo) and every frame lasts 1/60 s.
//
//   auto window = OffscreenWindow::create({1280, 720}, keys, fonts);
//   window->begin_frame(); ... panels ...; window->end_frame(backdrop);
//   write_png("shot.png", window->screenshot());
//
// Frames that are not drawn need no OpenGL: a window made without it opens it when it is asked to. Opening Mesa's software driver
// takes longer than most scripts.
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

  /// Makes the ImGui context too. `keys` and `fonts` must outlive the window. No OpenGL yet.
  OffscreenWindow(Size size, Keys& keys, Fonts& fonts);
  /// With OpenGL.
  static Result<OffscreenWindow> create(Size size, Keys& keys, Fonts& fonts);
  OffscreenWindow(OffscreenWindow&&) noexcept;
  OffscreenWindow& operator=(OffscreenWindow&&) noexcept;
  ~OffscreenWindow();

  /// Between frames. When OpenGL is open and cannot have that size, the window keeps the one that it had.
  Result<void> resize(Size size);
  /// Between frames; does nothing when it is open. An error names what to install, or that OpenGL cannot have this size.
  Result<void> open_gl();

  /// Once OpenGL is open.
  const GlApi& gl() const;
  Size size() const;
  /// Mouse and keyboard.
  HeadlessIo& io();

  void begin_frame();
  /// `draw` false: the panels have run, but nothing reaches the picture. Scripts look at few of their frames.
  /// Drawing and the picture need OpenGL to be open.
  void end_frame(const Backdrop& backdrop, bool draw = true);
  Image screenshot() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tv
