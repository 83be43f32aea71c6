#include "core/base/shared_library.h"

#include <dlfcn.h>

namespace tv {

SharedLibrary::SharedLibrary(const char* name, Load load)
    : handle_(::dlopen(name, RTLD_LAZY | (load == Load::Never ? RTLD_NOLOAD : 0))) {}

void* SharedLibrary::symbol(const char* name) const { return handle_ ? ::dlsym(handle_, name) : nullptr; }

}  // namespace tv
