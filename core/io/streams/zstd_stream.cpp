#include <zstd.h>
#include <zstd_errors.h>

#include <new>
#include <string_view>

#include "core/base/memory/column.h"
#include "core/io/streams/text_streams.h"

namespace tv {
namespace {

// Inflates into an internal buffer with fixed input sizes: the text of a damaged file must not depend on the caller's read sizes.
class ZstdStream : public ByteStream {
 public:
  explicit ZstdStream(std::unique_ptr<ByteStream> compressed)
      : compressed_(std::move(compressed)), input_(ZSTD_DStreamInSize()), output_(ZSTD_DStreamOutSize()), context_(ZSTD_createDStream(), ZSTD_freeDStream) {
    if (!context_) throw std::bad_alloc();
  }

  Result<std::size_t> read(std::span<char> out) override {
    std::size_t done = 0;
    while (done < out.size()) {
      if (ready_.empty()) {
        auto inflated = inflate();
        if (!inflated) return inflated;
        if (*inflated == 0) break;
      }
      const std::size_t n = ready_.copy(out.data() + done, out.size() - done);
      ready_.remove_prefix(n);
      done += n;
    }
    return done;
  }

  std::uint64_t consumed() const override { return compressed_->consumed() - (pending_.size - pending_.pos); }
  std::string damage() const override { return damage_; }

 private:
  // Prepares the next text. Returns its length; 0 at the end.
  Result<std::size_t> inflate() {
    ZSTD_outBuffer target{output_.data(), output_.size(), 0};
    while (target.pos == 0 && !ended_) {
      if (pending_.pos == pending_.size) {
        auto n = read_fully(*compressed_, input_);
        if (!n && !any_) return n;
        if (!n) {  // still show the text inflated so far
          damage_ = n.error().reason();
          ended_ = true;
          break;
        }
        any_ = true;
        pending_ = {input_.data(), *n, 0};
        if (*n == 0) {
          if (inside_frame_) damage_ = "the zstd data ends early";
          ended_ = true;
          break;
        }
      }
      const std::size_t hint = ZSTD_decompressStream(context_.get(), &target, &pending_);
      if (ZSTD_getErrorCode(hint) == ZSTD_error_memory_allocation) throw std::bad_alloc();
      if (ZSTD_isError(hint)) {
        damage_ = std::string("the zstd data is damaged: ") + ZSTD_getErrorName(hint);
        ended_ = true;
      } else {
        inside_frame_ = hint != 0;
      }
    }
    ready_ = {output_.data(), target.pos};
    return target.pos;
  }

  std::unique_ptr<ByteStream> compressed_;
  Column<char> input_, output_;
  std::string_view ready_;  // inflated, not yet read
  std::unique_ptr<ZSTD_DStream, std::size_t (*)(ZSTD_DStream*)> context_;
  ZSTD_inBuffer pending_{nullptr, 0, 0};
  bool inside_frame_ = false, ended_ = false, any_ = false;
  std::string damage_;
};

}  // namespace

std::unique_ptr<ByteStream> make_zstd_stream(std::unique_ptr<ByteStream> compressed) {
  return std::make_unique<ZstdStream>(std::move(compressed));
}

}  // namespace tv
