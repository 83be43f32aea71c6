#include "core/io/archives/tar_files.h"

#include <algorithm>
#include <span>
#include <utility>

#include "core/io/archives/archive_reader.h"
#include "core/io/streams/file_stream.h"
#include "core/io/streams/unwrapped.h"

namespace tv {
namespace {

// Supplies the archive's text to libarchive.
struct TarText {
  std::unique_ptr<ByteStream> stream;
  std::string piece = std::string(1 << 20, '\0');
  std::optional<Error> error;

  static la_ssize_t read(archive*, void* self, const void** out) {
    auto& text = *static_cast<TarText*>(self);
    const auto n = read_fully(*text.stream, text.piece);
    if (!n) {
      text.error = n.error();
      return -1;
    }
    *out = text.piece.data();
    return static_cast<la_ssize_t>(n.value());
  }
};

// Reads the beginning of a file from memory.
class HeadStream : public ByteStream {
 public:
  explicit HeadStream(std::string_view head) : head_(head) {}

  Result<std::size_t> read(std::span<char> out) override {
    auto n = read_at(at_, out);
    if (n) at_ += *n;
    return n;
  }
  std::uint64_t consumed() const override { return at_; }
  std::uint64_t reach() const override { return head_.size(); }
  Result<std::size_t> read_at(std::uint64_t offset, std::span<char> out) const override {
    return head_.substr(std::min<std::size_t>(offset, head_.size())).copy(out.data(), out.size());
  }
  void seek(std::uint64_t offset) override { at_ = offset; }

 private:
  std::string_view head_;
  std::uint64_t at_ = 0;
};

// The beginning of the decompressed text, from which readers recognise a file. Empty if the file cannot be unwrapped.
std::string text_of_head(std::string_view head, const std::string& path) {
  auto stream = unwrapped(std::make_unique<HeadStream>(head), path);
  if (!stream) return {};
  std::string text(kUnwantedBytes, '\0');
  auto n = read_fully(**stream, text);
  text.resize(n ? *n : 0);
  return text;
}

constexpr std::size_t kTarBlock = 512;

Result<std::unique_ptr<ByteStream>> open_tar(const std::string& path) {
  auto bytes = open_bytes(path);
  return bytes ? unwrapped(std::move(*bytes), path) : std::move(bytes);
}

// Whether two blocks of zeros, or one and the end of the file, follow the last member: the archive is complete, and tar ignores what
// comes then. Called only if libarchive could make nothing of that, because it decompresses everything once more.
bool is_end_of_tar(const std::string& path, std::uint64_t end_of_last) {
  auto stream = open_tar(path);
  if (!stream) return false;
  std::string piece(1 << 20, '\0');
  for (std::uint64_t at = 0, end = (end_of_last + kTarBlock - 1) / kTarBlock * kTarBlock; at < end;) {
    const auto n = read_fully(**stream, std::span(piece).first(std::min<std::uint64_t>(piece.size(), end - at)));
    if (!n || n.value() == 0) return false;
    at += n.value();
  }
  const auto n = read_fully(**stream, std::span(piece).first(2 * kTarBlock));
  return n && n.value() >= kTarBlock && std::string_view(piece).substr(0, n.value()).find_first_not_of('\0') == std::string_view::npos;
}

constexpr const char* kDamagedHeader =
    "the tar archive is damaged: a header is wrong, and what follows up to the next one was skipped";

bool is_usable(int code) { return code == ARCHIVE_OK || code == ARCHIVE_WARN; }

std::string why_broken(archive* tar) {
  const std::string why = why_failed(tar);
  return why.empty() ? "the tar archive is damaged" : "the tar archive is damaged: " + why;
}

// Writes one file, or only its head if it is not wanted, to the temporary file.
class FileCopy {
 public:
  FileCopy(std::string path, const IsWanted& wanted, TemporaryFile& out, ArchiveMember& member)
      : path_(std::move(path)), wanted_(wanted), out_(out), member_(member) {}

  // Reads block by block, because archive_read_data() drops what it has copied if the archive ends after that.
  Result<void> copy(archive* tar) {
    for (;;) {
      const void* at = nullptr;
      std::size_t bytes = 0;
      la_int64_t place = 0;
      const int code = archive_read_data_block(tar, &at, &bytes, &place);
      if (!is_usable(code)) {
        if (code != ARCHIVE_EOF) member_.damage = why_broken(tar);
        return {};
      }
      if (static_cast<std::uint64_t>(place) < member_.size) {
        member_.damage = "the tar archive is damaged: the blocks of a sparse file are out of order";
        return {};
      }
      if (auto done = add_zeros_to(static_cast<std::uint64_t>(place)); !done || unwanted_) return done;
      if (auto done = add({static_cast<const char*>(at), bytes}); !done || unwanted_) return done;
    }
  }

 private:
  // Sparse files have no blocks where they hold only zeros.
  Result<void> add_zeros_to(std::uint64_t place) {
    while (!unwanted_ && member_.size < place) {
      const std::string zeros(static_cast<std::size_t>(std::min<std::uint64_t>(64 << 10, place - member_.size)), '\0');
      if (auto done = add(zeros); !done) return done;
    }
    return {};
  }
  Result<void> add(std::string_view text) {
    if (head_.size() < kUnwantedBytes) {
      const std::string_view more = text.substr(0, kUnwantedBytes - head_.size());
      head_ += more;
      if (auto done = append(more); !done) return done;
      text.remove_prefix(more.size());
      unwanted_ = head_.size() == kUnwantedBytes && wanted_ && !wanted_(path_, text_of_head(head_, path_));
    }
    return unwanted_ || text.empty() ? Result<void>() : append(text);
  }
  Result<void> append(std::string_view text) {
    if (auto done = out_.append(text); !done) return done;
    member_.size += text.size();
    return {};
  }

  const std::string path_;
  const IsWanted& wanted_;
  TemporaryFile& out_;
  ArchiveMember& member_;
  std::string head_;
  bool unwanted_ = false;
};

}  // namespace

bool looks_like_tar(std::string_view head) {
  constexpr std::size_t kMagic = 257;
  return head.size() > kMagic && head.substr(kMagic).starts_with("ustar");
}

Result<std::optional<TarFiles>> copy_tar_files(const std::string& path, const IsWanted& wanted) {
  auto stream = open_tar(path);
  if (!stream) return std::optional<TarFiles>();
  std::string head(kTarBlock, '\0');
  auto n = read_fully(**stream, head);
  if (!n || !looks_like_tar(std::string_view(head).substr(0, *n))) return std::optional<TarFiles>();
  TarText text;
  stream = open_tar(path);
  if (!stream) return stream.error();
  text.stream = std::move(*stream);
  const ArchiveReader tar = new_archive_reader();
  archive_read_support_format_tar(tar.get());
  // Zeros in the place of a header are damage, or the end of an archive to which another one was appended: files may follow.
  archive_read_set_format_option(tar.get(), "tar", "read_concatenated_archives", "1");
  auto bytes = TemporaryFile::create();
  if (!bytes) return bytes.error();
  TarFiles out;
  std::uint64_t end = 0, end_in_tar = 0;  // of the last member
  bool skips = false;
  int code = archive_read_open(tar.get(), &text, nullptr, TarText::read, nullptr);
  // After a damaged header, each further call looks at the next 512 bytes.
  while (is_usable(code) || code == ARCHIVE_RETRY) {
    archive_entry* entry = nullptr;
    code = archive_read_next_header(tar.get(), &entry);
    if (code == ARCHIVE_RETRY) skips = true;
    if (!is_usable(code)) continue;
    if (skips) out.damage = kDamagedHeader;
    end_in_tar = static_cast<std::uint64_t>(archive_filter_bytes(tar.get(), 0));
    if (archive_entry_filetype(entry) != AE_IFREG || archive_entry_hardlink(entry)) continue;
    ArchiveMember member{name_of(entry, out.members.size() + 1), end, 0};
    if (auto done = FileCopy(path + "/" + member.name, wanted, *bytes, member).copy(tar.get()); !done) return done.error();
    end += member.size;
    archive_read_data_skip(tar.get());  // an unwanted file is read only in part
    end_in_tar = static_cast<std::uint64_t>(archive_filter_bytes(tar.get(), 0));
    out.members.push_back(std::move(member));
    if (!out.members.back().damage.empty()) break;
  }
  const bool ends_badly = (!is_usable(code) && code != ARCHIVE_EOF) || (skips && out.damage.empty());
  if (ends_badly && !text.error && !is_end_of_tar(path, end_in_tar)) {
    out.damage = code == ARCHIVE_EOF ? kDamagedHeader : why_broken(tar.get());
  }
  if (out.damage.empty() && !out.members.empty()) out.damage = out.members.back().damage;
  if (const std::string damage = text.stream->damage(); !damage.empty()) out.damage = damage;
  if (text.error) out.damage = text.error->message;
  if (text.error && out.members.empty()) return *text.error;
  if (auto done = bytes->flush(); !done) return done.error();
  out.bytes = std::make_shared<const TemporaryFile>(std::move(*bytes));
  return std::optional<TarFiles>(std::move(out));
}

}  // namespace tv
