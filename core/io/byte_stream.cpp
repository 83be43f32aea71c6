#include "core/io/byte_stream.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "core/io/gzip_stream.h"
#include "core/io/plain_file.h"
#include "core/io/utf16_stream.h"
#include "core/io/zip_stream.h"
#include "core/io/zstd_stream.h"

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

constexpr std::string_view kGzip = "\x1f\x8b";
constexpr std::string_view kZstd = "\x28\xb5\x2f\xfd";
constexpr std::string_view kZip = "PK\x03\x04";
constexpr std::string_view kUtf16Le = "\xff\xfe";
constexpr std::string_view kUtf16Be = "\xfe\xff";

}  // namespace

Result<std::size_t> ByteStream::read_at(std::uint64_t, std::span<char>) const { return 0; }
void ByteStream::seek(std::uint64_t) {}
void ByteStream::note_checkpoints(std::shared_ptr<TextCheckpoints>) {}
std::uint64_t ByteStream::resume(const TextCheckpoints&, std::uint64_t) { return 0; }

Result<std::unique_ptr<ByteStream>> open_stream(const std::string& path) {
  auto file = PlainFile::open(path);
  if (!file) return file.error();
  std::array<char, 4> bytes{};
  auto n = file->read_at(0, bytes);
  if (!n) return n.error();
  const std::string_view magic(bytes.data(), *n);
  if (magic.starts_with(kZip)) return open_zip_stream(path);
  std::unique_ptr<ByteStream> plain = std::make_unique<PlainStream>(std::move(*file));
  if (magic.starts_with(kGzip)) return make_gzip_stream(std::move(plain));
  if (magic.starts_with(kZstd)) return make_zstd_stream(std::move(plain));
  if (magic.starts_with(kUtf16Le)) return make_utf16_stream(std::move(plain), "UTF-16LE");
  if (magic.starts_with(kUtf16Be)) return make_utf16_stream(std::move(plain), "UTF-16BE");
  return plain;
}

Result<void> go_to(ByteStream& fresh, std::uint64_t offset, const TextCheckpoints* checkpoints) {
  if (fresh.reach() > 0) {
    fresh.seek(std::min(offset, fresh.reach()));
    return {};
  }
  if (checkpoints) offset -= fresh.resume(*checkpoints, offset);
  std::vector<char> skipped(std::min<std::uint64_t>(offset, 1 << 20));
  while (offset > 0) {
    auto n = fresh.read(std::span(skipped).first(std::min<std::uint64_t>(offset, skipped.size())));
    if (!n) return n.error();
    if (*n == 0) break;
    offset -= *n;
  }
  return {};
}

Result<std::size_t> read_fully(ByteStream& stream, std::span<char> out) {
  std::size_t done = 0;
  while (done < out.size()) {
    auto n = stream.read(out.subspan(done));
    if (!n) return n;
    if (*n == 0) break;
    done += *n;
  }
  return done;
}

Result<std::string> read_text_at(const std::string& path, std::uint64_t offset, std::size_t length) {
  auto stream = open_stream(path);
  if (!stream) return stream.error();
  if (auto there = go_to(**stream, offset); !there) return there.error();
  const std::uint64_t reach = (*stream)->reach();
  std::string text(reach > 0 ? std::min<std::uint64_t>(length, reach - std::min(offset, reach)) : length, '\0');
  auto n = read_fully(**stream, text);
  if (!n) return n.error();
  text.resize(*n);
  return text;
}

}  // namespace tv
