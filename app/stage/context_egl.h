// An OpenGL 3.3 core context without display, window or X server, for screenshots, reports and tests. On machines without a GPU,
// Mesa's software driver is used.
#pragma once

#include <memory>
#include <string>

#include "core/base/result.h"
#include "ui/gl/gl_api.h"

namespace tv {

class EglContext {
 public:
  /// Creates a context and makes it current in this thread.
  static Result<EglContext> create();
  EglContext(EglContext&&) noexcept;
  EglContext& operator=(EglContext&&) noexcept;
  ~EglContext();

  const GlApi& gl() const;
  /// How the context was created, and its driver: "surfaceless, Mesa llvmpipe ...".
  std::string description() const;

 private:
  struct State;
  explicit EglContext(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace tv
