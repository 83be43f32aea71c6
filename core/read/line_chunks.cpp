#include "core/read/line_chunks.h"

namespace tv {
namespace {

constexpr std::size_t kLongestJoined = 64 << 20;  // largest window for finding the end of a record

}  // namespace

Result<std::optional<TextChunk>> LineChunks::next() {
  while (!ended_) {
    auto window = feed_.more(at_);
    if (!window) return window.error();
    const std::size_t newline = window->text.rfind('\n');
    std::size_t size = window->last ? window->text.size() : newline == std::string_view::npos ? 0 : newline + 1;
    ended_ = window->last;
    if (open_end_ && !ended_ && size < kLongestJoined) size -= open_end_(window->text.substr(0, size));
    if (size == 0) continue;  // the window grows until it has a whole line or record
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
