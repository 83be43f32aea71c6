#include <zstd.h>
#include <zstd_errors.h>

#include <new>
#include <optional>
#include <string_view>
#include <utility>

#include "core/base/memory/column.h"
#include "core/io/streams/text_streams.h"

namespace tv {
namespace {

// Decompresses with buffers of fixed sizes, because the text of a damaged file must not depend on the caller's read sizes.
class ZstdStream : public ByteStream {
 public:
  explicit ZstdStream(std::unique_ptr<ByteStream> compressed)
      : compressed_(std::move(compressed)),
        input_(ZSTD_DStreamInSize()),
        output_(ZSTD_DStreamOutSize()),
        context_(ZSTD_createDStream(), ZSTD_freeDStream) {
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
  std::string damage() const override { return damage_.empty() && ended_ ? compressed_->damage() : damage_; }

 private:
  // Prepares the next text. Returns its length; 0 at the end.
  Result<std::size_t> inflate() {
    ZSTD_outBuffer target{output_.data(), output_.size(), 0};
    while (target.pos == 0 && !ended_) {
      if (pending_.pos == pending_.size) {
        auto n = read_fully(*compressed_, input_);
        if (!n && !any_input_) return n;
        if (!n) {  // the text decompressed so far is still shown
          damage_ = n.error().reason();
          ended_ = true;
          break;
        }
        any_input_ = true;
        pending_ = {input_.data(), *n, 0};
        if (*n == 0) {
          if (inside_frame_) damage_ = "the zstd data ends early";
          ended_ = true;
          break;
        }
      }
      const std::size_t hint = ZSTD_decompressStream(context_.get(), &target, &pending_);
      if (ZSTD_getErrorCode(hint) == ZSTD_error_memory_allocation) throw std::bad_alloc();
      if (ZSTD_getErrorCode(hint) == ZSTD_error_frameParameter_windowTooLarge) {
        // A larger window would let a small file take gigabytes of memory. The text of earlier frames is still shown.
        const Error error{"the zstd data needs a window of more than 128 MiB", {}, {}, "unpack it with zstd -d --long=31"};
        ended_ = true;
        if (any_text_) damage_ = error.reason();
        else refused_ = error;
      } else if (ZSTD_isError(hint)) {
        damage_ = std::string("the zstd data is damaged: ") + ZSTD_getErrorName(hint);
        ended_ = true;
      } else {
        inside_frame_ = hint != 0;
      }
    }
    ready_ = {output_.data(), target.pos};
    any_text_ = any_text_ || target.pos > 0;
    if (refused_) return *refused_;
    return target.pos;
  }

  std::unique_ptr<ByteStream> compressed_;
  Column<char> input_, output_;
  std::string_view ready_;  // decompressed, not yet read
  std::unique_ptr<ZSTD_DStream, std::size_t (*)(ZSTD_DStream*)> context_;
  ZSTD_inBuffer pending_{nullptr, 0, 0};
  bool inside_frame_ = false, ended_ = false, any_input_ = false, any_text_ = false;
  std::string damage_;
  std::optional<Error> refused_;  // why there is no text
};

}  // namespace

std::unique_ptr<ByteStream> make_zstd_stream(std::unique_ptr<ByteStream> compressed) {
  return std::make_unique<ZstdStream>(std::move(compressed));
}

}  // namespace tv
