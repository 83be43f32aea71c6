// zip and tar, plain and packed, damaged anywhere: listing and reading end, what is refused is refused with a message, and each
// member, like the file itself, gives the same text for any size of read.
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "core/io/archives/archive_file.h"
#include "core/io/archives/tar_files.h"
#include "core/io/archives/zip_files.h"
#include "core/io/archives/zip_stream.h"
#include "core/io/files/open_stream.h"
#include "core/io/streams/temporary_stream.h"
#include "tests/fuzz/reader_fuzz.h"

using namespace tv;
using namespace tv::test;

namespace {

constexpr std::size_t kMostMembers = 8, kMostText = 1 << 20;

struct ArchivePath {
  std::string path = std::filesystem::temp_directory_path() / fmt::format("fuzz_archive_{}.zip", getpid());
  ~ArchivePath() { std::filesystem::remove(path); }
};

std::string text_of(Result<std::unique_ptr<ByteStream>> stream, std::size_t piece) {
  if (!stream.ok()) return "refused: " + stream.error().message;
  std::string text, buffer(piece, '\0');
  while (text.size() < kMostText) {
    const auto n = (*stream)->read(buffer);
    if (!n.ok()) return "failed: " + n.error().message;
    text.append(buffer, 0, n.value());
    if (n.value() < piece && text.size() < kMostText) return text + "\n" + (*stream)->damage();
  }
  text.resize(kMostText);
  return text;
}

template <class Open>
void check_member(const ArchiveMember& member, Open open) {
  const std::string large = text_of(open(member), 100'000), small = text_of(open(member), 997);
  if (large != small) fail("a member's text depends on the size of reads", first_difference(large, small));
}

void check_archive(const std::string& path) {
  static_cast<void>(scan_zip_files(path));
  const auto zip = list_zip_files(path);
  if (!zip.ok()) fail("a file that is there cannot be read", zip.error().text());
  if (zip.value()) {
    for (const ArchiveMember& member : std::span(*zip.value()).first(std::min(zip.value()->size(), kMostMembers))) {
      check_member(member, [&](const ArchiveMember& m) { return open_zip_stream(path, m.at); });
    }
    return;
  }
  auto tar = copy_tar_files(path, {});
  if (!tar.ok() && tar.error().message.empty()) fail("refused without a message");
  if (!tar.ok() || !tar.value()) return;
  const TarFiles& files = *tar.value();
  std::uint64_t end = 0;
  for (const ArchiveMember& member : files.members) {
    if (member.at != end) fail("a member's bytes do not follow those of the member before");
    end += member.size;
  }
  for (const ArchiveMember& member : std::span(files.members).first(std::min(files.members.size(), kMostMembers))) {
    check_member(member, [&](const ArchiveMember& m) {
      return Result<std::unique_ptr<ByteStream>>(make_temporary_stream(files.bytes, m.at, m.size, m.damage));
    });
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const ArchivePath file;
  std::ofstream(file.path, std::ios::binary)
      .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  check_archive(file.path);
  looks_like_archive(file.path);
  const std::string large = text_of(open_stream(file.path), 100'000), small = text_of(open_stream(file.path), 997);
  if (large != small) fail("a file's text depends on the size of reads", first_difference(large, small));
  return 0;
}
