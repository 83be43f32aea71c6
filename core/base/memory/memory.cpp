#include "core/base/memory/memory.h"

#include <algorithm>

#include "core/base/memory/memory_room.h"

namespace tv {

std::uint64_t available_memory() {
  constexpr std::uint64_t kLeast = 1 << 20;  // 0 would mean that there is no limit
  const auto room = memory_room({});
  return room ? std::max(*room, kLeast) : 0;
}

}  // namespace tv
