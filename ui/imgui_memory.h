// Turns a failed allocation by Dear ImGui into std::bad_alloc, as everywhere else: ImGui and the libraries it includes
// (stb_truetype) would go on with null.
#pragma once

#include <imgui.h>

#include <cstddef>
#include <cstdlib>
#include <new>

namespace tv {

/// Before ImGui::CreateContext().
inline void refuse_imgui_memory_loudly() {
  // malloc is also the default, so memory allocated before (e.g. for fonts) can still be freed.
  ImGui::SetAllocatorFunctions(
      [](std::size_t bytes, void*) {
        void* const memory = std::malloc(bytes);
        if (!memory && bytes > 0) throw std::bad_alloc();
        return memory;
      },
      [](void* memory, void*) { std::free(memory); });
}

}  // namespace tv
