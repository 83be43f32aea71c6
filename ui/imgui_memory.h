// Makes failed allocations of Dear ImGui throw std::bad_alloc, as all others do. ImGui and the libraries in it (stb_truetype) would
// continue with a null pointer.
#pragma once

#include <imgui.h>

#include <cstddef>
#include <cstdlib>
#include <new>

namespace tv {

/// Call before ImGui::CreateContext().
inline void make_imgui_throw_bad_alloc() {
  // ImGui uses malloc by default, too, so memory that it allocated before (e.g. for fonts) can still be freed.
  ImGui::SetAllocatorFunctions(
      [](std::size_t bytes, void*) {
        void* const memory = std::malloc(bytes);
        if (!memory && bytes > 0) throw std::bad_alloc();
        return memory;
      },
      [](void* memory, void*) { std::free(memory); });
}

}  // namespace tv
