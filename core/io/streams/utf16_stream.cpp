#include <iconv.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <vector>

#include "core/io/streams/text_streams.h"

namespace tv {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";
constexpr std::size_t kLongest = 4;  // bytes of a UTF-8 sequence

class Utf16Stream : public ByteStream {
 public:
  Utf16Stream(std::unique_ptr<ByteStream> encoded, const char* encoding)
      : encoded_(std::move(encoded)), input_(64 << 10), output_(64 << 10), converter_(iconv_open("UTF-8", encoding)) {}
  ~Utf16Stream() override {
    if (converter_ != reinterpret_cast<iconv_t>(-1)) iconv_close(converter_);
  }

  Result<std::size_t> read(std::span<char> out) override {
    if (converter_ == reinterpret_cast<iconv_t>(-1)) return Error{"this system's iconv cannot decode UTF-16", {}, {}, "convert the file to UTF-8"};
    std::size_t done = 0;
    while (done < out.size()) {
      if (ready_.empty()) {
        auto converted = convert();
        if (!converted) return converted;
        if (*converted == 0) break;
      }
      // A character may be split between two reads.
      const std::size_t n = std::min(ready_.size(), out.size() - done);
      std::memcpy(out.data() + done, ready_.data(), n);
      ready_.remove_prefix(n);
      done += n;
    }
    return done;
  }
  std::uint64_t consumed() const override { return encoded_->consumed(); }
  std::string damage() const override { return encoded_->damage(); }

 private:
  // Prepares the next text. Returns its length; 0 at the end.
  Result<std::size_t> convert() {
    char* to = output_.data();
    std::size_t room = output_.size();
    while (room == output_.size()) {
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
      if (result == static_cast<std::size_t>(-1) && errno == EILSEQ && room >= kLongest) {  // a lone surrogate
        std::memcpy(to, kReplacement.data(), kReplacement.size());
        to += kReplacement.size();
        room -= kReplacement.size();
        begin_ += 2;
      }
    }
    ready_ = {output_.data(), output_.size() - room};
    return ready_.size();
  }

  std::unique_ptr<ByteStream> encoded_;
  std::vector<char> input_, output_;
  std::string_view ready_;  // converted, not yet read
  std::size_t begin_ = 0, end_ = 0;
  bool starved_ = false;  // the input ends inside a character
  iconv_t converter_;
};

}  // namespace

std::unique_ptr<ByteStream> make_utf16_stream(std::unique_ptr<ByteStream> encoded, const char* encoding) {
  return std::make_unique<Utf16Stream>(std::move(encoded), encoding);
}

}  // namespace tv
