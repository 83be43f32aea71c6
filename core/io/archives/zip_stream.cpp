#include "core/io/archives/zip_stream.h"

#include <archive_entry.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "core/io/archives/archive_reader.h"
#include "core/io/streams/plain_file.h"

namespace tv {
namespace {

// Supplies the archive's bytes to libarchive, so that a read error keeps its own message. If libarchive opened the file itself,
// it would retry a failed read in another way and report the failure of the retry.
struct ZipBytes {
  PlainFile file;
  std::uint64_t at = 0;
  std::vector<char> piece = std::vector<char>(64 << 10);
  std::optional<Error> error = {};

  static la_ssize_t read(archive* zip, void* self, const void** out) {
    auto& bytes = *static_cast<ZipBytes*>(self);
    const auto n = bytes.file.read_at(bytes.at, bytes.piece);
    if (!n) {
      bytes.error = n.error();
      archive_set_error(zip, EIO, "%s", bytes.error->message.c_str());
      return ARCHIVE_FATAL;
    }
    bytes.at += n.value();
    *out = bytes.piece.data();
    return static_cast<la_ssize_t>(n.value());
  }
  static la_int64_t seek(archive*, void* self, la_int64_t offset, int whence) {
    auto& bytes = *static_cast<ZipBytes*>(self);
    const auto size = static_cast<la_int64_t>(bytes.file.size());
    const la_int64_t from = whence == SEEK_END ? size : whence == SEEK_CUR ? static_cast<la_int64_t>(bytes.at) : 0;
    const la_int64_t to = std::clamp<la_int64_t>(from + offset, 0, size);
    bytes.at = static_cast<std::uint64_t>(to);
    return to;
  }
};

class ZipStream : public ByteStream {
 public:
  ZipStream(ArchiveReader opened, std::unique_ptr<ZipBytes> bytes)
      : bytes_(std::move(bytes)), archive_(std::move(opened)) {}

  Result<std::size_t> read(std::span<char> out) override {
    std::size_t done = 0;
    while (done < out.size() && (!block_.empty() || next_block())) {
      const std::size_t n = block_.copy(out.data() + done, out.size() - done);
      block_.remove_prefix(n);
      done += n;
    }
    return done;
  }
  std::uint64_t consumed() const override {
    return static_cast<std::uint64_t>(archive_filter_bytes(archive_.get(), -1));
  }
  std::string damage() const override { return damage_; }

 private:
  // Reads block by block, because archive_read_data() drops what it has copied if a later block is damaged.
  bool next_block() {
    while (!ended_ && block_.empty()) {
      const void* at = nullptr;
      std::size_t bytes = 0;
      la_int64_t place = 0;
      const int code = archive_read_data_block(archive_.get(), &at, &bytes, &place);
      ended_ = code != ARCHIVE_OK;
      if (code == ARCHIVE_OK) block_ = {static_cast<const char*>(at), bytes};
      if (ended_ && code != ARCHIVE_EOF) damage_ = why_ended();
    }
    return !block_.empty();
  }
  std::string why_ended() const {
    if (bytes_->error) return bytes_->error->message;
    const std::string why = why_failed(archive_.get());
    return "the zip archive is damaged: " + (why.empty() ? "its data" : why);
  }

  std::unique_ptr<ZipBytes> bytes_;
  ArchiveReader archive_;
  std::string_view block_;  // libarchive's block, the part not yet read
  bool ended_ = false;
  std::string damage_;
};

}  // namespace

Result<std::unique_ptr<ByteStream>> open_zip_stream(const std::string& path, std::optional<std::uint64_t> offset) {
  auto file = PlainFile::open(path);
  if (!file) return file.error();
  auto bytes = std::unique_ptr<ZipBytes>(new ZipBytes{std::move(*file), offset.value_or(0)});
  ArchiveReader opened = new_archive_reader();
  if (offset) {
    archive_read_support_format_zip_streamable(opened.get());
  } else {
    archive_read_support_format_zip(opened.get());
    archive_read_set_seek_callback(opened.get(), ZipBytes::seek);
  }
  int code = archive_read_open(opened.get(), bytes.get(), nullptr, ZipBytes::read, nullptr);
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
  if (bytes->error) return *bytes->error;
  const std::string why = why_failed(opened.get());
  return Error{why.empty() ? "the zip archive holds no file" : why, path, {}, "unpack it and open the files"};
}

}  // namespace tv
