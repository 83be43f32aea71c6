// A text in memory as a stream, handed out in pieces of any size.
#pragma once

#include <algorithm>
#include <string>
#include <utility>

#include "core/io/streams/byte_stream.h"

namespace tv::test {

class MemoryStream : public ByteStream {
 public:
  /// `piece`: the most bytes that one read gives, like a pipe or an inflater.
  explicit MemoryStream(std::string text, std::size_t piece = SIZE_MAX) : text_(std::move(text)), piece_(piece) {}
  /// Like a plain file: can be read anywhere.
  static MemoryStream plain_file(std::string text) {
    MemoryStream stream(std::move(text));
    stream.reach_ = stream.text_.size();
    return stream;
  }

  /// Like a file in a damaged archive: the text ends too early.
  static MemoryStream damaged(std::string text, std::string why) {
    MemoryStream stream(std::move(text));
    stream.damage_ = std::move(why);
    return stream;
  }

  Result<std::size_t> read(std::span<char> out) override {
    const std::size_t n = std::min({out.size(), piece_, text_.size() - at_});
    std::copy_n(text_.data() + at_, n, out.data());
    at_ += n;
    return n;
  }
  std::uint64_t consumed() const override { return at_; }
  std::string damage() const override { return at_ == text_.size() ? damage_ : std::string(); }
  std::uint64_t reach() const override { return reach_; }
  Result<std::size_t> read_at(std::uint64_t offset, std::span<char> out) const override {
    const std::size_t n = std::min<std::size_t>(out.size(), text_.size() - std::min<std::size_t>(offset, text_.size()));
    std::copy_n(text_.data() + (n > 0 ? offset : 0), n, out.data());
    return n;
  }
  void seek(std::uint64_t offset) override { at_ = static_cast<std::size_t>(offset); }

 private:
  std::string text_, damage_;
  std::size_t piece_, at_ = 0;
  std::uint64_t reach_ = 0;
};

}  // namespace tv::test
