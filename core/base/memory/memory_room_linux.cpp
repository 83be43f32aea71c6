#include "core/base/memory/memory_room.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string_view>
#include <vector>

namespace tv {
namespace {

using Bytes = std::optional<std::uint64_t>;

// A control group of version 1 without a limit reports nearly 2^63.
constexpr std::uint64_t kNoLimit = 1ull << 60;

Bytes least_of(Bytes a, Bytes b) { return !a ? b : !b ? a : std::min(*a, *b); }

Bytes rest_of(Bytes limit, Bytes used) {
  if (!limit || !used || *limit >= kNoLimit) return std::nullopt;
  return *limit - std::min(*limit, *used);
}

Bytes number_in(const std::string& path) {
  std::ifstream file(path);
  std::uint64_t value = 0;
  if (file >> value) return value;
  return std::nullopt;  // no such file, or the word "max"
}

// The number after a word: "MemAvailable:   12345 kB", "inactive_file 4096".
Bytes number_after(const std::string& path, std::string_view key) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string word;
    std::uint64_t value = 0;
    if (words >> word && word == key && words >> value) return value;
  }
  return std::nullopt;
}

Bytes kilobytes_after(const std::string& path, std::string_view key) {
  const Bytes value = number_after(path, key);
  return value ? Bytes(*value << 10) : value;
}

// "Max data size   1000   unlimited   bytes": the first number is the soft limit.
Bytes soft_limit(const std::string& path, std::string_view title) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(title)) continue;
    std::istringstream words(line.substr(title.size()));
    std::uint64_t value = 0;
    if (words >> value) return value;
  }
  return std::nullopt;
}

// The file names in one version of control groups.
struct GroupFiles {
  std::string_view limit, used, inactive, active;
};
constexpr GroupFiles kVersion1 = {"memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file", "total_active_file"};
constexpr GroupFiles kVersion2 = {"memory.max", "memory.current", "inactive_file", "active_file"};

Bytes room_in_group(const std::string& folder, const GroupFiles& names) {
  const Bytes limit = number_in(folder + '/' + std::string(names.limit));
  Bytes used = number_in(folder + '/' + std::string(names.used));
  if (!limit || !used) return std::nullopt;
  const std::string stat = folder + "/memory.stat";
  const std::uint64_t cache = number_after(stat, names.inactive).value_or(0) + number_after(stat, names.active).value_or(0);
  used = *used - std::min(*used, cache);
  return rest_of(limit, used);
}

// The least room in the group and the groups that contain it, up to the mount point.
Bytes room_in_groups(const std::string& mount, std::string path, const GroupFiles& names) {
  Bytes least;
  for (;;) {
    least = least_of(least, room_in_group(mount + path, names));
    if (path.empty()) return least;
    path.resize(std::min(path.rfind('/'), path.size()));
  }
}

struct GroupMount {
  std::string point, group;  // where it is mounted, and which group
};

std::optional<GroupMount> group_mount(const std::string& root, bool version_2) {
  std::ifstream file(root + "/proc/self/mountinfo");
  for (std::string line; std::getline(file, line);) {
    // 36 35 98:0 GROUP POINT rw,noatime master:1 - TYPE SOURCE rw,memory
    std::istringstream words(line);
    std::string word, type, source, options;
    GroupMount mount;
    words >> word >> word >> word >> mount.group >> mount.point;
    while (words >> word && word != "-") {}
    words >> type >> source >> options;
    const bool has_memory = (',' + options + ',').find(",memory,") != std::string::npos;
    if (version_2 ? type == "cgroup2" : type == "cgroup" && has_memory) return mount;
  }
  return std::nullopt;
}

// "0::/a/b" is version 2's line, "4:cpu,memory:/a/b" one of version 1.
std::string group_path(const std::string& root, bool version_2) {
  std::ifstream file(root + "/proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = ',' + line.substr(first + 1, second - first - 1) + ',';
    if (version_2 ? controllers == ",," : controllers.find(",memory,") != std::string::npos) return line.substr(second + 1);
  }
  return {};
}

Bytes room_in_version(const std::string& root, bool version_2) {
  GroupMount mount = group_mount(root, version_2).value_or(GroupMount{version_2 ? "/sys/fs/cgroup" : "/sys/fs/cgroup/memory", "/"});
  std::string path = group_path(root, version_2);
  if (mount.group != "/") path = path.starts_with(mount.group) ? path.substr(mount.group.size()) : std::string();
  if (!path.starts_with('/') || path == "/") path.clear();
  if (path.find("/..") != std::string::npos) path.clear();  // the group is outside the mounted part
  return room_in_groups(root + mount.point, path, version_2 ? kVersion2 : kVersion1);
}

}  // namespace

std::optional<std::uint64_t> memory_room(const std::string& root) {
  const std::string limits = root + "/proc/self/limits", status = root + "/proc/self/status";
  Bytes room = kilobytes_after(root + "/proc/meminfo", "MemAvailable:");
  room = least_of(room, room_in_version(root, true));
  room = least_of(room, room_in_group(root + "/sys/fs/cgroup", kVersion2));  // mountinfo may not list this mount
  room = least_of(room, room_in_version(root, false));
  room = least_of(room, rest_of(soft_limit(limits, "Max address space"), kilobytes_after(status, "VmSize:")));
  return least_of(room, rest_of(soft_limit(limits, "Max data size"), kilobytes_after(status, "VmData:")));
}

}  // namespace tv
