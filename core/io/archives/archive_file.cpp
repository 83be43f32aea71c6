#include "core/io/archives/archive_file.h"

#include <deque>
#include <filesystem>
#include <map>
#include <mutex>
#include <utility>

#include "core/base/text/ascii.h"
#include "core/io/archives/tar_files.h"
#include "core/io/archives/zip_files.h"
#include "core/io/archives/zip_stream.h"
#include "core/io/streams/temporary_stream.h"
#include "core/io/streams/unwrapped.h"

namespace tv {
namespace {

constexpr std::size_t kArchivesKept = 16;

// The archives that this process has opened. Threads that ask for the same archive wait until the first of them has opened it.
class KnownArchives {
 public:
  std::shared_ptr<const ArchiveFile> find(const std::string& path, const FileIdentity& identity) {
    const std::lock_guard lock(mutex_);
    auto known = known_[path].lock();
    return known && known->identity() == identity ? known : nullptr;
  }
  void add(const std::shared_ptr<const ArchiveFile>& archive) {
    const std::lock_guard lock(mutex_);
    known_[archive->path()] = archive;
    latest_.push_back(archive);
    if (latest_.size() > kArchivesKept) latest_.pop_front();
  }
  // Locked while a thread opens the archive.
  std::mutex& opening(const std::string& path) {
    const std::lock_guard lock(mutex_);
    return opening_[path];
  }

 private:
  std::mutex mutex_;
  std::map<std::string, std::weak_ptr<const ArchiveFile>> known_;
  std::map<std::string, std::mutex> opening_;
  std::deque<std::shared_ptr<const ArchiveFile>> latest_;
};

KnownArchives& known_archives() {
  static KnownArchives known;
  return known;
}

}  // namespace

class ArchiveIndexer {
 public:
  static Result<std::shared_ptr<const ArchiveFile>> index(const std::string& path, const FileIdentity& identity,
                                                          const IsWanted& wanted) {
    auto out = std::make_shared<ArchiveFile>();
    out->path_ = path;
    out->identity_ = identity;
    std::vector<ArchiveMember> members;
    auto zip = list_zip_files(path);
    if (!zip) return zip.error();
    if (!*zip) {
      zip = scan_zip_files(path);
      if (!zip) return zip.error();
      if (*zip) out->damage_ = kUnlistedZip;
    }
    if (*zip) {
      members = std::move(**zip);
    } else {
      auto tar = copy_tar_files(path, wanted);
      if (!tar) return tar.error();
      if (!*tar) return std::shared_ptr<const ArchiveFile>();
      members = std::move((*tar)->members);
      out->bytes_ = std::move((*tar)->bytes);
      out->damage_ = std::move((*tar)->damage);
    }
    for (ArchiveMember& member : members) {
      const auto [at, is_new] = out->by_name_.try_emplace(member.name, out->members_.size());
      if (is_new) {
        out->members_.push_back(std::move(member));
      } else {
        out->members_[at->second] = std::move(member);
      }
    }
    return std::shared_ptr<const ArchiveFile>(std::move(out));
  }
};

const ArchiveMember* ArchiveFile::find(const std::string& name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : &members_[found->second];
}

Result<std::unique_ptr<ByteStream>> ArchiveFile::open(const ArchiveMember& member) const {
  const std::string path = path_ + "/" + member.name;
  if (member.encrypted) return Error{"it is encrypted", path, {}, "unpack the archive with its password and open the files"};
  if (bytes_) return unwrapped(make_temporary_stream(bytes_, member.at, member.size, member.damage), path);
  auto stream = open_zip_stream(path_, member.at);
  return stream ? unwrapped(std::move(*stream), path) : std::move(stream);
}

Result<std::shared_ptr<const ArchiveFile>> open_archive(const std::string& path, const IsWanted& wanted) {
  const auto identity = identity_of_file(path);
  if (!identity) return identity.error();
  KnownArchives& known = known_archives();
  const std::lock_guard lock(known.opening(path));
  if (auto archive = known.find(path, identity.value())) return archive;
  auto archive = ArchiveIndexer::index(path, identity.value(), wanted);
  if (archive && *archive) known.add(*archive);
  return archive;
}

namespace {

struct FoundMember {
  std::shared_ptr<const ArchiveFile> archive;
  const ArchiveMember* member = nullptr;  // a member of `archive`
};

Result<FoundMember> find_member(const MemberPath& path) {
  auto archive = open_archive(path.archive);
  if (!archive) return archive.error();
  const ArchiveMember* const member = *archive ? (*archive)->find(path.member) : nullptr;
  if (!member) return Error{"no such file in " + path.archive, path.archive + "/" + path.member, {}, "unpack it and open the files"};
  return FoundMember{std::move(*archive), member};
}

}  // namespace

std::optional<MemberPath> member_path(const std::string& path) {
  std::error_code code;
  for (std::size_t slash = path.find('/', 1); slash != std::string::npos; slash = path.find('/', slash + 1)) {
    const std::string archive = path.substr(0, slash);
    if (!std::filesystem::is_regular_file(archive, code)) continue;
    return MemberPath{archive, path.substr(slash + 1)};
  }
  return std::nullopt;
}

Result<std::unique_ptr<ByteStream>> open_member(const MemberPath& path) {
  const auto found = find_member(path);
  if (!found) return found.error();
  const auto& [archive, member] = found.value();
  return archive->open(*member);
}

Result<FileIdentity> identity_of_member(const MemberPath& path) {
  const auto found = find_member(path);
  if (!found) return found.error();
  const auto& [archive, member] = found.value();
  return FileIdentity{member->size, archive->identity().modified_ns};
}

bool is_archive_name(std::string_view path) {
  const std::string name = lower_case(path.substr(path.rfind('/') + 1));
  for (const std::string_view ending : {".zip", ".tar", ".tgz", ".tar.gz", ".tzst", ".tar.zst"}) {
    if (name.ends_with(ending)) return true;
  }
  return false;
}

bool looks_like_archive(const std::string& path) {
  const auto file = PlainFile::open(path);
  std::string head(512, '\0');
  const auto n = file ? file.value().read_at(0, head) : file.error();
  if (!n) return false;
  head.resize(n.value());
  return head.starts_with(kZipMagic) || looks_like_tar(head);
}

}  // namespace tv
