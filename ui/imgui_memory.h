// Memory that Dear ImGui asks for and does not get is std::bad_alloc, as everywhere else: it and what it brings along (stb_truetype)
// would go on with null.
#pragma once

#include <imgui.h>

#include <cstddef>
#include <cstdlib>
#include <new>

namespace tv {

/// Before ImGui::CreateContext().
inline void refuse_imgui_memory_loudly() {
  // malloc as by default: fonts may have been made before.
  ImGui::SetAllocatorFunctions(
      [](std::size_t bytes, void*) {
        void* const memory = std::malloc(bytes);
        if (!memory && bytes > 0) throw std::bad_alloc();
        return memory;
      },
      [](void* memory, void*) { std::free(memory); });
}

}  // namespace tv
