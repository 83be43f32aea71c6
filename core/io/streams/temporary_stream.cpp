#include "core/io/streams/temporary_stream.h"

#include <algorithm>
#include <utility>

namespace tv {
namespace {

class TemporaryStream : public ByteStream {
 public:
  TemporaryStream(std::shared_ptr<const TemporaryFile> file, std::uint64_t begin, std::uint64_t size, std::string damage)
      : file_(std::move(file)), begin_(begin), size_(size), damage_(std::move(damage)) {}

  Result<std::size_t> read(std::span<char> out) override {
    auto n = read_at(at_, out);
    if (n) at_ += *n;
    return n;
  }
  std::uint64_t consumed() const override { return at_; }
  std::string damage() const override { return at_ >= size_ ? damage_ : std::string(); }
  std::uint64_t reach() const override { return size_; }
  Result<std::size_t> read_at(std::uint64_t offset, std::span<char> out) const override {
    const auto n = static_cast<std::size_t>(std::min<std::uint64_t>(out.size(), size_ - std::min(offset, size_)));
    if (n == 0) return n;
    if (auto read = file_->read_at(begin_ + offset, out.first(n)); !read) return read.error();
    return n;
  }
  void seek(std::uint64_t offset) override { at_ = offset; }

 private:
  std::shared_ptr<const TemporaryFile> file_;
  std::uint64_t begin_, size_, at_ = 0;
  std::string damage_;
};

}  // namespace

std::unique_ptr<ByteStream> make_temporary_stream(std::shared_ptr<const TemporaryFile> file, std::uint64_t begin,
                                                  std::uint64_t size, std::string damage) {
  return std::make_unique<TemporaryStream>(std::move(file), begin, size, std::move(damage));
}

}  // namespace tv
