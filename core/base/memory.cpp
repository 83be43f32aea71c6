#include "core/base/memory.h"

#include <algorithm>
#include <fstream>
#include <optional>
#include <string>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace tv {
namespace {

// The number on a line "MemAvailable:   12345 kB".
std::uint64_t meminfo(const std::string& key) {
  std::ifstream file("/proc/meminfo");
  for (std::string word; file >> word;) {
    std::uint64_t kilobytes = 0;
    if (word == key && file >> kilobytes) return kilobytes << 10;
  }
  return 0;
}

std::optional<std::uint64_t> number_in(const char* path) {
  std::ifstream file(path);
  std::uint64_t value = 0;
  if (file >> value) return value;
  return std::nullopt;  // no such file, or the word "max"
}

}  // namespace

std::uint64_t available_memory() {
  const std::uint64_t system = meminfo("MemAvailable:");
  const auto most = number_in("/sys/fs/cgroup/memory.max"), used = number_in("/sys/fs/cgroup/memory.current");
  if (!most || !used) return system;
  const std::uint64_t rest = *most - std::min(*most, *used);
  return system == 0 ? rest : std::min(system, rest);
}

void return_free_memory() {
#if defined(__GLIBC__)
  ::malloc_trim(0);
#endif
}

}  // namespace tv
