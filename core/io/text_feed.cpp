#include "core/io/text_feed.h"

#include <algorithm>
#include <cstring>

namespace tv {

Result<TextWindow> TextFeed::more(std::uint64_t keep_from) {
  const std::size_t kept = static_cast<std::size_t>(window_.end() - keep_from);
  const std::size_t fresh = std::max(step_, kept);
  std::shared_ptr<char[]> buffer(new char[kept + fresh]);  // not make_shared: that would zero it first
  if (kept > 0) std::memcpy(buffer.get(), window_.text.data() + window_.text.size() - kept, kept);
  std::size_t got = 0;
  while (got < fresh) {
    auto n = stream_.read({buffer.get() + kept + got, fresh - got});
    if (!n) return n.error();
    if (*n == 0) break;
    got += *n;
  }
  window_ = {keep_from, {buffer.get(), kept + got}, got < fresh, buffer};
  return window_;
}

}  // namespace tv
