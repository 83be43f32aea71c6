#include "core/io/archives/zip_files.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/io/archives/archive_reader.h"
#include "core/io/archives/zip_bytes.h"
#include "core/io/streams/unwrapped.h"

namespace tv {
namespace {

constexpr std::uint64_t kShort = 0xffff, kLong = 0xffffffff;  // these values mean that the number is in the Zip64 field
constexpr std::size_t kEndBytes = 22, kLocatorBytes = 20, kEnd64Bytes = 56, kEntryBytes = 46;
constexpr std::uint64_t kLargestDirectory = std::uint64_t{4} << 30;

std::uint64_t number(std::string_view text, std::size_t at, std::size_t bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < bytes && at + i < text.size(); ++i) {
    value |= static_cast<std::uint64_t>(static_cast<unsigned char>(text[at + i])) << (8 * i);
  }
  return value;
}

Result<std::string> text_at(const PlainFile& file, std::uint64_t at, std::uint64_t bytes) {
  std::string text(static_cast<std::size_t>(std::min(bytes, file.size() - std::min(at, file.size()))), '\0');
  const auto n = file.read_at(at, text);
  if (!n) return n.error();
  text.resize(n.value());
  return text;
}

struct Directory {
  std::uint64_t begin = 0, bytes = 0, entries = 0;
  std::uint64_t before = 0;  // bytes before the archive, such as a program that unpacks it; offsets do not include them
};

Result<std::optional<Directory>> find_directory(const PlainFile& file) {
  const std::uint64_t tail_at = file.size() - std::min<std::uint64_t>(file.size(), kEndBytes + kShort);
  auto tail = text_at(file, tail_at, kEndBytes + kShort);
  if (!tail) return tail.error();
  const std::size_t end = tail->rfind("PK\x05\x06");
  if (end == std::string::npos || tail->size() - end < kEndBytes) return std::optional<Directory>();
  std::uint64_t bytes = number(*tail, end + 12, 4), begin = number(*tail, end + 16, 4), directory_end = tail_at + end;
  std::uint64_t entries = number(*tail, end + 10, 2);
  const bool large = bytes == kLong || begin == kLong || number(*tail, end + 10, 2) == kShort;
  if (large && end >= kLocatorBytes && tail->substr(end - kLocatorBytes).starts_with("PK\x06\x07")) {
    const std::uint64_t at = number(*tail, end - kLocatorBytes + 8, 8);
    auto end64 = text_at(file, at, kEnd64Bytes);
    if (!end64) return end64.error();
    if (end64->size() == kEnd64Bytes && end64->starts_with("PK\x06\x06")) {
      entries = number(*end64, 32, 8);
      bytes = number(*end64, 40, 8);
      begin = number(*end64, 48, 8);
      directory_end = at;
    }
  }
  if (bytes > directory_end || bytes > kLargestDirectory || begin > directory_end - bytes) return std::optional<Directory>();
  return std::optional(Directory{directory_end - bytes, bytes, entries, directory_end - bytes - begin});
}

// Large files have their sizes and offset in a separate field, which contains only the numbers that do not fit into the entry.
void read_zip64(std::string_view extra, std::uint64_t& inflated, std::uint64_t& packed, std::uint64_t& at) {
  while (extra.size() >= 4) {
    const std::size_t id = number(extra, 0, 2), bytes = std::min<std::size_t>(number(extra, 2, 2), extra.size() - 4);
    std::string_view field = extra.substr(4, bytes);
    extra.remove_prefix(4 + bytes);
    if (id != 1) continue;
    for (std::uint64_t* value : {&inflated, &packed, &at}) {
      if (*value != kLong || field.size() < 8) continue;
      *value = number(field, 0, 8);
      field.remove_prefix(8);
    }
  }
}

bool is_file(std::string_view entry, std::string_view name) {
  constexpr std::uint64_t kUnix = 3, kMode = 0170000, kRegular = 0100000;
  if (name.empty() || name.ends_with('/')) return false;
  const std::uint64_t mode = number(entry, 40, 2) & kMode;
  return number(entry, 5, 1) != kUnix || mode == 0 || mode == kRegular;
}

// Nullopt if the file is no zip file.
Result<std::optional<PlainFile>> open_zip(const std::string& path) {
  auto file = PlainFile::open(path);
  if (!file) return file.error();
  auto magic = text_at(*file, 0, kZipMagic.size());
  if (!magic) return magic.error();
  return *magic == kZipMagic ? std::optional(std::move(*file)) : std::nullopt;
}

}  // namespace

Result<std::optional<std::vector<ArchiveMember>>> list_zip_files(const std::string& path) {
  using Files = std::optional<std::vector<ArchiveMember>>;
  auto zip = open_zip(path);
  if (!zip) return zip.error();
  if (!*zip) return Files();
  const PlainFile& file = **zip;
  auto directory = find_directory(file);
  if (!directory) return directory.error();
  if (!*directory) return Files();
  auto text = text_at(file, (*directory)->begin, (*directory)->bytes);
  if (!text) return text.error();
  std::vector<ArchiveMember> out;
  std::uint64_t entries = 0;
  for (std::string_view rest = *text; rest.size() >= kEntryBytes && rest.starts_with("PK\x01\x02");) {
    const std::size_t name_bytes = number(rest, 28, 2), extra_bytes = number(rest, 30, 2), comment_bytes = number(rest, 32, 2);
    if (rest.size() < kEntryBytes + name_bytes + extra_bytes) break;
    const std::string_view name = rest.substr(kEntryBytes, name_bytes), extra = rest.substr(kEntryBytes + name_bytes, extra_bytes);
    std::uint64_t packed = number(rest, 20, 4), inflated = number(rest, 24, 4), at = number(rest, 42, 4);
    read_zip64(extra, inflated, packed, at);
    const bool encrypted = (number(rest, 8, 2) & 1) != 0;
    if (is_file(rest, name)) out.push_back({std::string(name), (*directory)->before + at, packed, encrypted});
    rest.remove_prefix(std::min(rest.size(), kEntryBytes + name_bytes + extra_bytes + comment_bytes));
    ++entries;
  }
  if (entries < (*directory)->entries) return Files();
  return Files(std::move(out));
}

Result<std::optional<std::vector<ArchiveMember>>> scan_zip_files(const std::string& path) {
  using Files = std::optional<std::vector<ArchiveMember>>;
  auto file = open_zip(path);
  if (!file) return file.error();
  if (!*file) return Files();
  ZipBytes bytes{std::move(**file)};
  const ArchiveReader zip = new_archive_reader();
  archive_read_support_format_zip_streamable(zip.get());
  std::vector<ArchiveMember> out;
  int code = archive_read_open(zip.get(), &bytes, nullptr, ZipBytes::read, nullptr);
  bool is_regular = false;
  while (code == ARCHIVE_OK || code == ARCHIVE_WARN) {
    archive_entry* entry = nullptr;
    code = archive_read_next_header(zip.get(), &entry);
    const bool is_header = code == ARCHIVE_OK || code == ARCHIVE_WARN;
    std::uint64_t at = is_header ? static_cast<std::uint64_t>(archive_read_header_position(zip.get())) : bytes.file.size();
    if (is_regular) out.back().size = at - out.back().at;
    if (!is_header) break;
    // The header may follow a descriptor of the previous file, of up to 24 bytes, which libarchive has not read yet.
    if (const auto near = text_at(bytes.file, at, 24 + kZipMagic.size())) {
      if (const std::size_t skipped = near.value().find(kZipMagic); skipped != std::string::npos) at += skipped;
    }
    is_regular = archive_entry_filetype(entry) == AE_IFREG;
    if (is_regular) out.push_back({name_of(entry, out.size() + 1), at, 0, archive_entry_is_encrypted(entry) != 0});
  }
  if (bytes.error) return *bytes.error;
  return Files(std::move(out));
}

}  // namespace tv
