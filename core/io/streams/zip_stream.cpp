#include "core/io/zip_stream.h"

#include <archive_entry.h>

#include <cerrno>
#include <utility>
#include <vector>

#include "core/io/archive_reader.h"
#include "core/io/plain_file.h"

namespace tv {
namespace {

// The archive from some byte on, for libarchive to ask for.
struct ZipBytes {
  PlainFile file;
  std::uint64_t at = 0;
  std::vector<char> piece = std::vector<char>(64 << 10);
  std::string error = {};

  static la_ssize_t read(archive* zip, void* self, const void** out) {
    auto& bytes = *static_cast<ZipBytes*>(self);
    const auto n = bytes.file.read_at(bytes.at, bytes.piece);
    if (!n) {
      bytes.error = n.error().message;
      archive_set_error(zip, EIO, "%s", bytes.error.c_str());
      return ARCHIVE_FATAL;
    }
    bytes.at += n.value();
    *out = bytes.piece.data();
    return static_cast<la_ssize_t>(n.value());
  }
};

class ZipStream : public ByteStream {
 public:
  explicit ZipStream(ArchiveReader opened, std::unique_ptr<ZipBytes> bytes = nullptr)
      : bytes_(std::move(bytes)), archive_(std::move(opened)) {}

  Result<std::size_t> read(std::span<char> out) override {
    std::size_t done = 0;
    while (done < out.size() && damage_.empty()) {
      const la_ssize_t n = archive_read_data(archive_.get(), out.data() + done, out.size() - done);
      if (n < 0) damage_ = why_ended();
      if (n <= 0) break;
      done += static_cast<std::size_t>(n);
    }
    return done;
  }
  std::uint64_t consumed() const override {
    return static_cast<std::uint64_t>(archive_filter_bytes(archive_.get(), -1));
  }
  std::string damage() const override { return damage_; }

 private:
  std::string why_ended() const {
    if (bytes_ && !bytes_->error.empty()) return bytes_->error;
    const char* const why = archive_error_string(archive_.get());
    return std::string("the zip archive is damaged: ") + (why ? why : "its data");
  }

  std::unique_ptr<ZipBytes> bytes_;  // null: libarchive opened the file itself
  ArchiveReader archive_;
  std::string damage_;
};

}  // namespace

Result<std::unique_ptr<ByteStream>> open_zip_stream(const std::string& path, std::optional<std::uint64_t> offset) {
  ArchiveReader opened = new_archive_reader();
  std::unique_ptr<ZipBytes> bytes;
  int code = ARCHIVE_OK;
  if (!offset) {
    archive_read_support_format_zip(opened.get());
    constexpr std::size_t kBlockBytes = 64 << 10;
    code = archive_read_open_filename(opened.get(), path.c_str(), kBlockBytes);
  } else {
    auto file = PlainFile::open(path);
    if (!file) return file.error();
    bytes.reset(new ZipBytes{std::move(*file), *offset});
    archive_read_support_format_zip_streamable(opened.get());
    code = archive_read_open(opened.get(), bytes.get(), nullptr, ZipBytes::read, nullptr);
  }
  archive_entry* entry = nullptr;
  while (code == ARCHIVE_OK || code == ARCHIVE_WARN) {
    code = archive_read_next_header(opened.get(), &entry);
    if (code != ARCHIVE_OK && code != ARCHIVE_WARN) break;
    if (archive_entry_filetype(entry) != AE_IFREG) continue;
    if (archive_entry_is_encrypted(entry) != 0) {
      return Error{"the zip archive is encrypted", path, {}, "unpack it with its password and open the files"};
    }
    return std::unique_ptr<ByteStream>(std::make_unique<ZipStream>(std::move(opened), std::move(bytes)));
  }
  const char* why = archive_error_string(opened.get());
  return Error{why ? why : "the zip archive holds no file", path, {}, "unpack it and open the files"};
}

}  // namespace tv
