#include "core/io/streams/byte_stream.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "core/io/streams/archive_file.h"
#include "core/io/streams/gzip_stream.h"
#include "core/io/streams/piped_file.h"
#include "core/io/streams/plain_file.h"
#include "core/io/streams/temporary_stream.h"
#include "core/io/streams/utf16_stream.h"
#include "core/io/streams/zip_stream.h"
#include "core/io/streams/zstd_stream.h"

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

// A stream whose first bytes were looked at: they come again. Those of a stream that reaches are read again.
class SeenStream : public ByteStream {
 public:
  SeenStream(std::unique_ptr<ByteStream> rest, std::string seen) : rest_(std::move(rest)), seen_(std::move(seen)) {}

  Result<std::size_t> read(std::span<char> out) override {
    const std::size_t again = seen_.copy(out.data(), out.size(), at_);
    at_ += again;
    if (again == out.size()) return again;
    auto n = rest_->read(out.subspan(again));
    if (n) *n += again;
    return n;
  }
  std::uint64_t consumed() const override { return rest_->consumed(); }
  std::string damage() const override { return at_ == seen_.size() ? rest_->damage() : std::string(); }

 private:
  std::unique_ptr<ByteStream> rest_;
  std::string seen_;
  std::size_t at_ = 0;
};

constexpr std::string_view kGzip = "\x1f\x8b";
constexpr std::string_view kZstd = "\x28\xb5\x2f\xfd";
constexpr std::string_view kUtf16Le = "\xff\xfe";
constexpr std::string_view kUtf16Be = "\xfe\xff";

}  // namespace

Result<std::size_t> ByteStream::read_at(std::uint64_t, std::span<char>) const { return 0; }
void ByteStream::seek(std::uint64_t) {}
void ByteStream::note_checkpoints(std::shared_ptr<TextCheckpoints>) {}
std::uint64_t ByteStream::resume(const TextCheckpoints&, std::uint64_t) { return 0; }

Result<std::unique_ptr<ByteStream>> unwrapped(std::unique_ptr<ByteStream> bytes, const std::string& path) {
  std::string magic(4, '\0');
  const bool reaches = bytes->reach() > 0;
  const auto n = reaches ? bytes->read_at(0, magic) : read_fully(*bytes, magic);
  if (!n) return n.error();
  magic.resize(n.value());
  if (magic.starts_with(kZipMagic)) return Error{"an archive in an archive or a pipe", path, {}, "unpack it and open the files"};
  if (!reaches) bytes = std::make_unique<SeenStream>(std::move(bytes), magic);
  if (magic.starts_with(kGzip)) return make_gzip_stream(std::move(bytes));
  if (magic.starts_with(kZstd)) return make_zstd_stream(std::move(bytes));
  if (magic.starts_with(kUtf16Le)) return make_utf16_stream(std::move(bytes), "UTF-16LE");
  if (magic.starts_with(kUtf16Be)) return make_utf16_stream(std::move(bytes), "UTF-16BE");
  return bytes;
}

Result<std::unique_ptr<ByteStream>> open_stream(const std::string& path) {
  auto file = PlainFile::open(path);
  if (!file) {
    if (is_pipe(path)) {
      auto piped = piped_file(path);
      if (!piped) return piped.error();
      return unwrapped(make_temporary_stream((*piped)->bytes, 0, (*piped)->size), path);
    }
    if (const auto member = member_path(path)) return open_member(*member);
    return file.error();
  }
  std::array<char, kZipMagic.size()> bytes{};
  auto n = file->read_at(0, bytes);
  if (!n) return n.error();
  if (std::string_view(bytes.data(), *n) == kZipMagic) {
    auto zip = open_zip_stream(path);
    return zip ? unwrapped(std::move(*zip), path) : std::move(zip);
  }
  return unwrapped(std::make_unique<PlainStream>(std::move(*file)), path);
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
  if (text.empty() && length > 0 && offset == 0) {
    if (std::string damage = (*stream)->damage(); !damage.empty()) return Error{std::move(damage), path, {}, "copy the file again"};
  }
  return text;
}

}  // namespace tv
