// The window without a display: the same panels and the same renderer as Window, drawn into memory through EGL. Input comes from a
// script (HeadlessIo) and every frame lasts 1/60 s.
//
//   auto window = OffscreenWindow::create({1280, 720}, keys, fonts);
//   window->begin_frame(); ... panels ...; window->end_frame(backdrop);
//   write_png("shot.png", window->screenshot());
//
// Frames that are not drawn need no OpenGL: a window made without it opens it on request. Opening Mesa's software driver takes
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
  /// Opens OpenGL too.
  static Result<OffscreenWindow> create(Size size, Keys& keys, Fonts& fonts);
  OffscreenWindow(OffscreenWindow&&) noexcept;
  OffscreenWindow& operator=(OffscreenWindow&&) noexcept;
  ~OffscreenWindow();

  /// Between frames. If OpenGL is open and does not support that size, the window keeps its size.
  Result<void> resize(Size size);
  /// Between frames; does nothing if it is already open. The error names what to install, or says that OpenGL does not support this
  /// size.
  Result<void> open_gl();

  /// Only after OpenGL was opened.
  const GlApi& gl() const;
  Size size() const;
  /// Mouse and keyboard.
  HeadlessIo& io();

  void begin_frame();
  /// `draw` false: the panels run, but nothing is drawn into the picture; scripts look at few of their frames. Drawing and the
  /// picture need open_gl().
  void end_frame(const Backdrop& backdrop, bool draw = true);
  Image screenshot() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tv
