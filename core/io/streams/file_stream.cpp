#include "core/io/streams/file_stream.h"

#include <span>
#include <utility>

#include "core/io/streams/piped_file.h"
#include "core/io/streams/plain_file.h"
#include "core/io/streams/temporary_stream.h"

namespace tv {
namespace {

class PlainStream : public ByteStream {
 public:
  explicit PlainStream(PlainFile file) : file_(std::move(file)) {}

  Result<std::size_t> read(std::span<char> out) override {
    auto n = file_.read_at(at_, out);
    if (n) at_ += *n;
    return n;
  }
  std::uint64_t consumed() const override { return at_; }
  std::uint64_t reach() const override { return file_.size(); }
  Result<std::size_t> read_at(std::uint64_t offset, std::span<char> out) const override {
    return file_.read_at(offset, out);
  }
  void seek(std::uint64_t offset) override { at_ = offset; }

 private:
  PlainFile file_;
  std::uint64_t at_ = 0;
};

}  // namespace

Result<std::unique_ptr<ByteStream>> open_bytes(const std::string& path) {
  if (auto file = PlainFile::open(path)) {
    return std::unique_ptr<ByteStream>(std::make_unique<PlainStream>(std::move(*file)));
  } else if (!is_pipe(path)) {
    return file.error();
  }
  auto piped = piped_file(path);
  if (!piped) return piped.error();
  return make_temporary_stream((*piped)->bytes, 0, (*piped)->size);
}

}  // namespace tv
