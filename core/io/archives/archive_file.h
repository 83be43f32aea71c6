// The files in an archive: zip, tar, and tar in gzip or zstd. Each is read as if it lay in a folder of the archive's name:
// "run.zip/ranks/rank0.json". Names are never used to write files, whatever they contain.
//
// A zip file lists the offset of each file, so its files are read in parallel. A tar file is read through once, and wanted files
// are copied into a temporary file, so that many small files cost one pass. Both happen when the archive is first opened. The
// result is shared while it is in use, and those of the last few archives stay cached.
// Cost: O(files) for zip, one pass over a tar.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/io/archives/archive_member.h"
#include "core/io/streams/byte_stream.h"
#include "core/io/streams/plain_file.h"
#include "core/io/written/temporary_file.h"

namespace tv {

class ArchiveFile {
 public:
  const std::string& path() const { return path_; }
  /// Files in the order of the archive; of several with the same name, the last.
  const std::vector<ArchiveMember>& members() const { return members_; }
  bool is_zip() const { return !bytes_; }
  /// Why there may be more files than these; empty if the list is complete.
  const std::string& damage() const { return damage_; }
  const FileIdentity& identity() const { return identity_; }

  const ArchiveMember* find(const std::string& name) const;
  Result<std::unique_ptr<ByteStream>> open(const ArchiveMember& member) const;

 private:
  friend class ArchiveIndexer;
  std::string path_, damage_;
  FileIdentity identity_;
  std::vector<ArchiveMember> members_;
  std::unordered_map<std::string, std::size_t> by_name_;
  std::shared_ptr<const TemporaryFile> bytes_;  // null: a zip file
};

/// Null if the file is not an archive.
Result<std::shared_ptr<const ArchiveFile>> open_archive(const std::string& path, const IsWanted& wanted = {});

/// Splits "/a/run.zip/b/rank0.json" into "/a/run.zip" and "b/rank0.json" if the former is a file.
struct MemberPath {
  std::string archive, member;
};
std::optional<MemberPath> member_path(const std::string& path);
Result<std::unique_ptr<ByteStream>> open_member(const MemberPath& path);
/// The size is the member's, the time the archive's.
Result<FileIdentity> identity_of_member(const MemberPath& path);

/// Whether its name is that of an archive. In folders only such files are opened as archives: trying all files would take too
/// long.
bool is_archive_name(std::string_view path);
/// Whether its first bytes are those of a zip or a plain tar.
bool looks_like_archive(const std::string& path);

}  // namespace tv
