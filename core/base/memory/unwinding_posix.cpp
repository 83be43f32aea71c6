#if __has_include(<execinfo.h>)
#include <execinfo.h>
#endif

#include "core/base/memory/memory.h"

namespace tv {

// glibc also sets up the link for a backtrace.
void prepare_unwinding() {
#if __has_include(<execinfo.h>)
  void* caller = nullptr;
  static_cast<void>(::backtrace(&caller, 1));
#endif
}

}  // namespace tv
