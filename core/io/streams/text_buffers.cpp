#include "core/io/streams/text_buffers.h"

#include <algorithm>
#include <utility>

#include "core/base/memory/column.h"
#include "core/base/memory/per_thread.h"

namespace tv {
namespace {

constexpr std::size_t kMostSpare = 8;  // if there are more, returned buffers are freed

}  // namespace

TextBuffers::TextBuffers() { spare_->buffers.reserve(kMostSpare); }  // returning a buffer must not need memory

TextBuffers& TextBuffers::of_this_thread() {
  return per_thread<TextBuffers>();
}

std::shared_ptr<char[]> TextBuffers::take(std::size_t bytes) {
  Buffer buffer;
  {
    const std::lock_guard lock(spare_->mutex);
    const auto found = std::ranges::find_if(spare_->buffers, [&](const Buffer& b) { return b.bytes >= bytes; });
    if (found != spare_->buffers.end()) {
      buffer = std::move(*found);
      spare_->buffers.erase(found);
    } else if (spare_->buffers.size() == kMostSpare) {
      spare_->buffers.erase(spare_->buffers.begin());  // all are too small: makes room for the new one
    }
  }
  if (!buffer.memory) buffer = {allocate_bytes(bytes + bytes / 8), bytes + bytes / 8};
  char* const text = reinterpret_cast<char*>(buffer.memory.get());
  return {text, [spare = spare_, buffer = std::move(buffer)](char*) mutable {
            const std::lock_guard lock(spare->mutex);
            if (spare->buffers.size() < kMostSpare) spare->buffers.push_back(std::move(buffer));
          }};
}

}  // namespace tv
