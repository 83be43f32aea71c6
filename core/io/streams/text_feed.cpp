#include "core/io/streams/text_feed.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace tv {
namespace {

constexpr std::size_t kFirstWindow = 1 << 20;

}  // namespace

Result<TextWindow> TextFeed::more(std::uint64_t keep_from) {
  const std::size_t kept = static_cast<std::size_t>(window_.end() - keep_from);
  // All threads wait for a file's first window, so it is small.
  const std::size_t fresh = std::max(std::exchange(first_, false) ? std::min(step_, kFirstWindow) : step_, kept);
  const std::shared_ptr<char[]> buffer = buffers_.take(kept + fresh + kTextPadding);
  if (kept > 0) std::memcpy(buffer.get(), window_.text.data() + window_.text.size() - kept, kept);
  const auto got = read_fully(stream_, {buffer.get() + kept, fresh});
  if (!got) return got.error();
  buffer[kept + got.value()] = '\0';
  window_ = {keep_from, {buffer.get(), kept + got.value()}, got.value() < fresh, buffer};
  return window_;
}

Result<TextWindow> TextFeed::at(std::uint64_t offset, std::size_t bytes) {
  const std::shared_ptr<char[]> buffer = buffers_.take(bytes + kTextPadding);
  auto n = stream_.read_at(offset, {buffer.get(), bytes});
  if (!n) return n.error();
  buffer[*n] = '\0';
  return TextWindow{offset, {buffer.get(), *n}, false, buffer};
}

void TextFeed::replace(TextWindow window) {
  window_ = std::move(window);
  if (stream_.reach() > 0) stream_.seek(window_.end());
}

}  // namespace tv
