// A vertex buffer that is filled again for every draw. upload() orphans the old contents, so the driver never waits for a draw that
// still reads them. The buffer grows to the next power of two and never shrinks.
#pragma once

#include <cstddef>
#include <span>

#include "ui/gl/gl_object.h"

namespace tv {

class StreamBuffer {
 public:
  StreamBuffer() = default;
  explicit StreamBuffer(const GlApi& gl) : gl_(&gl), buffer_(make_buffer(gl)) {}

  /// Leaves the buffer bound to GL_ARRAY_BUFFER.
  void upload(std::span<const std::byte> bytes);
  std::size_t capacity_bytes() const { return capacity_; }

 private:
  const GlApi* gl_ = nullptr;
  GlBuffer buffer_;
  std::size_t capacity_ = 0;
};

}  // namespace tv
