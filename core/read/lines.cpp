#include "core/read/lines.h"

#include "core/base/text/utf8.h"

namespace tv {

Result<std::optional<Line>> Lines::next() {
  std::size_t newline = window_.text.find('\n', at_);
  while (newline == std::string_view::npos && !window_.last) {
    const std::size_t scanned = window_.text.size() - at_;
    auto window = feed_.more(window_.offset + at_);
    if (!window) return window.error();
    window_ = std::move(*window);
    at_ = 0;
    newline = window_.text.find('\n', scanned);
  }
  if (offset() == 0 && window_.text.starts_with(kByteOrderMark)) at_ = kByteOrderMark.size();
  if (at_ == window_.text.size()) return std::optional<Line>();
  Line line{window_.offset + at_, window_.text.substr(at_, newline - at_), newline != std::string_view::npos};
  at_ = line.ended ? newline + 1 : window_.text.size();
  const std::size_t last = line.text.find_last_not_of(" \t\r");
  line.text = line.text.substr(0, last == std::string_view::npos ? 0 : last + 1);
  return std::optional(line);
}

}  // namespace tv
