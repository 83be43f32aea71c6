#include "core/session/packed/known_damage.h"

#include <map>
#include <mutex>

#include "core/io/files/open_stream.h"
#include "core/io/tables/mapped_file.h"

namespace tv {
namespace {

constinit std::mutex known_mutex;
std::uint64_t known_version = 0;

std::map<std::string, FileIdentity>& known_files() {
  static std::map<std::string, FileIdentity> files;
  return files;
}

}  // namespace

std::uint64_t look_for_damage() {
  const std::lock_guard lock(known_mutex);
  for (const DamagedFile& file : take_damaged_files()) {
    const auto identity = identity_of(file.path);
    if (identity) known_files().insert_or_assign(file.path, identity.value());
    ++known_version;
  }
  return known_version;
}

bool is_known_damaged(const std::string& path) {
  const std::lock_guard lock(known_mutex);
  const auto found = known_files().find(path);
  if (found == known_files().end()) return false;
  const auto identity = identity_of(path);
  return identity && identity.value() == found->second;
}

}  // namespace tv
