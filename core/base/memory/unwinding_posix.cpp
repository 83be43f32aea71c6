#if __has_include(<execinfo.h>)
#include <execinfo.h>
#endif

#include "core/base/memory/memory.h"

namespace tv {

// The first backtrace() makes glibc load its unwinder (libgcc_s).
void prepare_unwinding() {
#if __has_include(<execinfo.h>)
  void* caller = nullptr;
  static_cast<void>(::backtrace(&caller, 1));
#endif
}

}  // namespace tv
