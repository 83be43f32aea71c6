#include "core/base/memory/memory.h"

#include <algorithm>
#include <mutex>

#include "core/base/memory/memory_room.h"

#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace tv {

std::uint64_t available_memory() {
  constexpr std::uint64_t kLeast = 1 << 20;  // 0 would mean that there is no limit
  const auto room = memory_room({});
  return room ? std::max(*room, kLeast) : 0;
}

void return_free_memory() {
#if defined(__GLIBC__)
  static std::mutex one_is_enough;
  if (const std::unique_lock lock(one_is_enough, std::try_to_lock); lock) ::malloc_trim(0);
#endif
}

}  // namespace tv
