#include "core/io/zip_stream.h"

#include <archive.h>
#include <archive_entry.h>

#include <new>

namespace tv {
namespace {

struct ArchiveDeleter {
  void operator()(archive* a) const { archive_read_free(a); }
};
using Archive = std::unique_ptr<archive, ArchiveDeleter>;

class ZipStream : public ByteStream {
 public:
  explicit ZipStream(Archive opened) : archive_(std::move(opened)) {}

  Result<std::size_t> read(std::span<char> out) override {
    std::size_t done = 0;
    while (done < out.size() && damage_.empty()) {
      const la_ssize_t n = archive_read_data(archive_.get(), out.data() + done, out.size() - done);
      if (n < 0) damage_ = std::string("the zip archive is damaged: ") + archive_error_string(archive_.get());
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
  Archive archive_;
  std::string damage_;
};

}  // namespace

Result<std::unique_ptr<ByteStream>> open_zip_stream(const std::string& path) {
  Archive opened(archive_read_new());
  if (!opened) throw std::bad_alloc();
  archive_read_support_format_zip(opened.get());
  constexpr std::size_t kBlockBytes = 64 << 10;
  archive_entry* entry = nullptr;
  if (archive_read_open_filename(opened.get(), path.c_str(), kBlockBytes) == ARCHIVE_OK) {
    while (archive_read_next_header(opened.get(), &entry) == ARCHIVE_OK) {
      if (archive_entry_filetype(entry) == AE_IFREG) {
        return std::unique_ptr<ByteStream>(std::make_unique<ZipStream>(std::move(opened)));
      }
    }
  }
  const char* why = archive_error_string(opened.get());
  return Error{why ? why : "the zip archive holds no file", path, {}, "unpack it and open the files"};
}

}  // namespace tv
