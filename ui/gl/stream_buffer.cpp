#include "ui/gl/stream_buffer.h"

#include <algorithm>
#include <bit>

namespace tv {

void StreamBuffer::upload(std::span<const std::byte> bytes) {
  gl_->BindBuffer(GL_ARRAY_BUFFER, buffer_.name());
  if (bytes.empty()) return;
  capacity_ = std::max(capacity_, std::bit_ceil(bytes.size()));
  gl_->BufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(capacity_), nullptr, GL_STREAM_DRAW);
  gl_->BufferSubData(GL_ARRAY_BUFFER, 0, static_cast<GLsizeiptr>(bytes.size()), bytes.data());
}

}  // namespace tv
