#include "core/io/text_buffers.h"

#include <algorithm>
#include <utility>

namespace tv {
namespace {

constexpr std::size_t kMostSpare = 4;

}  // namespace

TextBuffers& TextBuffers::of_this_thread() {
  thread_local TextBuffers buffers;
  return buffers;
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
      spare_->buffers.erase(spare_->buffers.begin());  // too small for what is asked for now
    }
  }
  if (!buffer.memory) buffer = {std::make_unique_for_overwrite<char[]>(bytes + bytes / 8), bytes + bytes / 8};
  char* const memory = buffer.memory.release();
  return {memory, [spare = spare_, size = buffer.bytes](char* p) {
            Buffer back{std::unique_ptr<char[]>(p), size};
            const std::lock_guard lock(spare->mutex);
            if (spare->buffers.size() < kMostSpare) spare->buffers.push_back(std::move(back));
          }};
}

}  // namespace tv
