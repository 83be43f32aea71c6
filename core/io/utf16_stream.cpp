#include "core/io/utf16_stream.h"

#include <iconv.h>

#include <cerrno>
#include <cstring>
#include <vector>

namespace tv {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

class Utf16Stream : public ByteStream {
 public:
  Utf16Stream(std::unique_ptr<ByteStream> encoded, const char* encoding)
      : encoded_(std::move(encoded)), input_(64 << 10), converter_(iconv_open("UTF-8", encoding)) {}
  ~Utf16Stream() override {
    if (converter_ != reinterpret_cast<iconv_t>(-1)) iconv_close(converter_);
  }

  Result<std::size_t> read(std::span<char> out) override {
    if (converter_ == reinterpret_cast<iconv_t>(-1)) return Error{"this system's iconv knows no UTF-16", {}, {}, {}};
    char* to = out.data();
    std::size_t room = out.size();
    while (room >= 4) {  // the longest UTF-8 sequence
      if (begin_ == end_ || starved_) {
        std::memmove(input_.data(), input_.data() + begin_, end_ - begin_);
        end_ -= begin_;
        begin_ = 0;
        auto n = encoded_->read(std::span(input_).subspan(end_));
        if (!n) return n;
        if (*n == 0) break;
        end_ += *n;
      }
      char* from = input_.data() + begin_;
      std::size_t left = end_ - begin_;
      const std::size_t result = iconv(converter_, &from, &left, &to, &room);
      begin_ = end_ - left;
      starved_ = result == static_cast<std::size_t>(-1) && errno == EINVAL;
      if (result == static_cast<std::size_t>(-1) && errno == EILSEQ) {  // a lone surrogate
        std::memcpy(to, kReplacement.data(), kReplacement.size());
        to += kReplacement.size();
        room -= kReplacement.size();
        begin_ += 2;
      } else if (result == static_cast<std::size_t>(-1) && errno == E2BIG) {
        break;
      }
    }
    return static_cast<std::size_t>(to - out.data());
  }
  std::uint64_t consumed() const override { return encoded_->consumed(); }

 private:
  std::unique_ptr<ByteStream> encoded_;
  std::vector<char> input_;
  std::size_t begin_ = 0, end_ = 0;
  bool starved_ = false;  // the rest of the input is half a character
  iconv_t converter_;
};

}  // namespace

std::unique_ptr<ByteStream> make_utf16_stream(std::unique_ptr<ByteStream> encoded, const char* encoding) {
  return std::make_unique<Utf16Stream>(std::move(encoded), encoding);
}

}  // namespace tv
