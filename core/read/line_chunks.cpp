#include "core/read/line_chunks.h"

namespace tv {

Result<std::optional<TextChunk>> LineChunks::next() {
  while (!ended_) {
    auto window = feed_.more(at_);
    if (!window) return window.error();
    const std::size_t newline = window->text.rfind('\n');
    const std::size_t size = window->last ? window->text.size() : newline == std::string_view::npos ? 0 : newline + 1;
    ended_ = window->last;
    if (size == 0) continue;  // a line longer than the window: it grows
    TextChunk chunk;
    chunk.offset = at_;
    chunk.text = window->text.substr(0, size);
    chunk.hold = window->hold;
    at_ += size;
    return std::optional(std::move(chunk));
  }
  return std::optional<TextChunk>();
}

}  // namespace tv
