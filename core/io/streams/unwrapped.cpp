#include "core/io/streams/unwrapped.h"

#include <optional>
#include <utility>

#include "core/io/streams/text_streams.h"

namespace tv {
namespace {

// Puts back the first bytes that were read from a stream. Only streams without reach need it: others can read the bytes again.
class SeenStream : public ByteStream {
 public:
  SeenStream(std::unique_ptr<ByteStream> rest, std::string seen) : rest_(std::move(rest)), seen_(std::move(seen)) {}

  Result<std::size_t> read(std::span<char> out) override {
    const std::size_t copied = seen_.copy(out.data(), out.size(), at_);
    at_ += copied;
    if (copied == out.size()) return copied;
    auto n = rest_->read(out.subspan(copied));
    if (n) *n += copied;
    return n;
  }
  std::uint64_t consumed() const override { return rest_->consumed(); }
  std::string damage() const override { return at_ == seen_.size() ? rest_->damage() : std::string(); }

 private:
  std::unique_ptr<ByteStream> rest_;
  std::string seen_;
  std::size_t at_ = 0;
};

// Reads from a random-access stream without moving its position.
class LookStream : public ByteStream {
 public:
  explicit LookStream(const ByteStream& stream) : stream_(stream) {}

  Result<std::size_t> read(std::span<char> out) override {
    auto n = stream_.read_at(at_, out);
    if (n) at_ += *n;
    return n;
  }
  std::uint64_t consumed() const override { return at_; }

 private:
  const ByteStream& stream_;
  std::uint64_t at_ = 0;
};

constexpr std::size_t kMagicBytes = 64, kSearchedBytes = 32 << 10;

using Coding = std::unique_ptr<ByteStream> (*)(std::unique_ptr<ByteStream>);

// The decoder for bytes that begin like this. Null: the bytes are the text.
Coding coding_of(std::string_view magic) {
  if (magic.starts_with("\x1f\x8b")) return make_gzip_stream;
  if (magic.starts_with("\x28\xb5\x2f\xfd")) return make_zstd_stream;
  if (magic.starts_with("\xff\xfe"))
    return [](std::unique_ptr<ByteStream> text) { return make_utf16_stream(std::move(text), "UTF-16LE"); };
  if (magic.starts_with("\xfe\xff"))
    return [](std::unique_ptr<ByteStream> text) { return make_utf16_stream(std::move(text), "UTF-16BE"); };
  return nullptr;
}

// The beginning of the text, from bytes that can be read at any offset. Damage is reported when the text itself is read.
Result<std::string> head_of(const ByteStream& bytes, Coding coding) {
  std::unique_ptr<ByteStream> text = std::make_unique<LookStream>(bytes);
  if (coding) text = coding(std::move(text));
  std::string head(coding ? kMagicBytes : kSearchedBytes, '\0');
  auto n = read_fully(*text, head);
  head.resize(n ? *n : 0);
  if (!coding || !may_be_container_log(head)) return head;
  std::string more(kSearchedBytes - head.size(), '\0');
  n = read_fully(*text, more);
  return head.append(more, 0, n ? *n : 0);
}

}  // namespace

Result<std::unique_ptr<ByteStream>> unwrapped(std::unique_ptr<ByteStream> bytes, const std::string& path) {
  const bool reaches = bytes->reach() > 0;
  std::string head(reaches ? kMagicBytes : kSearchedBytes, '\0');
  const auto n = reaches ? bytes->read_at(0, head) : read_fully(*bytes, head);
  if (!n) return n.error();
  head.resize(n.value());
  if (head.starts_with(kZipMagic))
    return Error{"it is an archive in an archive or in a pipe", path, {}, "unpack it and open the files"};
  if (!reaches) bytes = std::make_unique<SeenStream>(std::move(bytes), head);
  const Coding coding = coding_of(head);
  if (reaches && (coding || may_be_container_log(head))) {
    auto text = head_of(*bytes, coding);
    if (!text) return text.error();
    head = std::move(*text);
  } else if (coding) {
    head.clear();  // bytes that can be read only once cannot be decoded in advance
  }
  if (coding) bytes = coding(std::move(bytes));
  if (!may_be_container_log(head)) return bytes;
  const std::optional<ContainerLog> kind = container_log(head);
  return kind ? make_container_stream(std::move(bytes), *kind) : std::move(bytes);
}

}  // namespace tv
