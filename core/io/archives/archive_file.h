// The files in an archive: zip, tar, and tar in gzip or zstd. Each file is read as if it were in a folder with the archive's name:
// "run.zip/ranks/rank0.json". Whatever a file's name contains, nothing is ever written under that name.
//
// When an archive is first opened, a zip's list of files is read. It has the offset of each file, so the files can be read in
// parallel. A tar is read once from beginning to end, and wanted files are copied into a temporary file. All users of an archive
// share the result, and the results for the last few archives stay cached.
// Cost: O(files) for zip, one pass over a tar, or over a zip whose list of files is missing.
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
  /// Files in the order of the archive; of several with the same name, only the last.
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
  std::shared_ptr<const TemporaryFile> bytes_;  // of a tar's files; null for a zip
};

/// Null if the file is not an archive.
Result<std::shared_ptr<const ArchiveFile>> open_archive(const std::string& path, const IsWanted& wanted = {});

/// "/a/run.zip" and "b/rank0.json".
struct MemberPath {
  std::string archive, member;
};
/// Splits "/a/run.zip/b/rank0.json" if a folder in the path is really a file.
std::optional<MemberPath> member_path(const std::string& path);
Result<std::unique_ptr<ByteStream>> open_member(const MemberPath& path);
/// The size of the member as it is stored, and the time of the archive.
Result<FileIdentity> identity_of_member(const MemberPath& path);

/// Whether a file is an archive by its name. In a folder, only such files are opened as archives: trying all would take too long.
bool is_archive_name(std::string_view path);
/// Whether a file begins like a zip or a plain tar.
bool looks_like_archive(const std::string& path);

}  // namespace tv
