#include "core/io/streams/whole_lines.h"

#include <algorithm>
#include <string>

namespace tv {
namespace {

class WholeLines : public ByteStream {
 public:
  WholeLines(std::unique_ptr<ByteStream> text, std::uint64_t end) : text_(std::move(text)), end_(end) {
    text_->seek(text_->reach());  // a stream names its damage only at its end
  }

  Result<std::size_t> read(std::span<char> out) override {
    if (at_ >= end_) return 0;
    auto n = text_->read_at(at_, cut(at_, out));
    if (n) at_ += *n;
    return n;
  }
  std::uint64_t consumed() const override { return at_; }
  std::string damage() const override { return at_ >= end_ ? text_->damage() : std::string(); }
  std::uint64_t reach() const override { return end_; }
  Result<std::size_t> read_at(std::uint64_t offset, std::span<char> out) const override {
    if (offset >= end_) return 0;
    return text_->read_at(offset, cut(offset, out));
  }
  void seek(std::uint64_t offset) override { at_ = offset; }

 private:
  std::span<char> cut(std::uint64_t offset, std::span<char> out) const {
    return out.first(static_cast<std::size_t>(std::min<std::uint64_t>(out.size(), end_ - offset)));
  }

  std::unique_ptr<ByteStream> text_;
  std::uint64_t end_, at_ = 0;
};

}  // namespace

Result<std::unique_ptr<ByteStream>> whole_lines(std::unique_ptr<ByteStream> text) {
  constexpr std::uint64_t kStep = 64 << 10;
  std::uint64_t end = text->reach();
  if (end == 0) return text;
  std::string part;
  while (end > 0) {
    const std::uint64_t begin = end - std::min(end, kStep);
    part.resize(static_cast<std::size_t>(end - begin));
    std::size_t done = 0;
    while (done < part.size()) {
      auto n = text->read_at(begin + done, std::span(part).subspan(done));
      if (!n) return n.error();
      if (*n == 0) break;  // the file was truncated meanwhile
      done += *n;
    }
    const std::size_t newline = std::string_view(part).substr(0, done).rfind('\n');
    end = newline == std::string_view::npos ? begin : begin + newline + 1;
    if (newline != std::string_view::npos) break;
  }
  return std::unique_ptr<ByteStream>(std::make_unique<WholeLines>(std::move(text), end));
}

}  // namespace tv
