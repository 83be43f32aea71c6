#if __has_include(<malloc.h>)
#include <malloc.h>
#endif

#include <mutex>

#include "core/base/memory/memory.h"

namespace tv {

void return_large_blocks() {
#ifdef __GLIBC__
  // By default these thresholds grow with use, to 32 and 64 MB while a trace is read. With lower values than these, a window
  // without a GPU would spend two thirds of a frame on new pages for Mesa's copies of the picture (tests/bench/RESULTS.md).
  mallopt(M_MMAP_THRESHOLD, 512 << 10);
  mallopt(M_TRIM_THRESHOLD, 4 << 20);
#endif
}

void return_free_memory() {
#ifdef __GLIBC__
  static std::mutex one_is_enough;
  if (const std::unique_lock lock(one_is_enough, std::try_to_lock); lock) ::malloc_trim(0);
#endif
}

}  // namespace tv
