#include "core/io/archives/zip_stream.h"

#include <archive_entry.h>

#include <optional>
#include <string_view>
#include <utility>

#include "core/io/archives/archive_reader.h"
#include "core/io/archives/zip_bytes.h"
#include "core/io/archives/zip_files.h"

namespace tv {
namespace {

class ZipStream : public ByteStream {
 public:
  /// `after`: damage of the archive after this file; empty if none is known.
  ZipStream(ArchiveReader opened, std::unique_ptr<ZipBytes> bytes, std::string after)
      : bytes_(std::move(bytes)), archive_(std::move(opened)), after_(std::move(after)) {}

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
      if (ended_) damage_ = code == ARCHIVE_EOF ? after_ : why_ended();
    }
    return !block_.empty();
  }
  std::string why_ended() const {
    if (bytes_->error) return bytes_->error->message;
    const std::string why = why_failed(archive_.get());
    return why.empty() ? "the zip archive is damaged" : "the zip archive is damaged: " + why;
  }

  std::unique_ptr<ZipBytes> bytes_;
  ArchiveReader archive_;
  std::string_view block_;  // the part of libarchive's block that was not read yet
  bool ended_ = false;
  std::string after_, damage_;
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
  bool unlisted = false;
  if (!offset) {
    const auto listed = list_zip_files(path);
    unlisted = listed.ok() && !listed.value();
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
    return std::unique_ptr<ByteStream>(std::make_unique<ZipStream>(std::move(opened), std::move(bytes), std::string(unlisted ? kUnlistedZip : "")));
  }
  if (bytes->error) return *bytes->error;
  const std::string why = why_failed(opened.get());
  return Error{why.empty() ? "the zip archive holds no file" : why, path, {}, "unpack it and open the files"};
}

}  // namespace tv
