// Counts the letters in ImGui's output to the renderer.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string_view>

#include "imgui.h"

namespace tv::test {

struct DrawnLetters {
  std::size_t count = 0, cut = 0;  ///< cut: those that cross the left or right edge of the visible part
};

/// The letters that the last frame drew. `window`: only in ImGui's windows whose names begin with this.
inline DrawnLetters drawn_letters(std::string_view window = {}) {
  std::size_t triangles = 0, cut = 0;
  const ImDrawData& data = *ImGui::GetDrawData();
  for (int l = 0; l < data.CmdListsCount; ++l) {
    const ImDrawList& list = *data.CmdLists[l];
    if (!std::string_view(list._OwnerName ? list._OwnerName : "").starts_with(window)) continue;
    for (const ImDrawCmd& cmd : list.CmdBuffer) {
      for (unsigned i = 0; i + 2 < cmd.ElemCount; i += 3) {
        const auto at = [&](unsigned k) -> const ImDrawVert& {
          return list
              .VtxBuffer[static_cast<int>(cmd.VtxOffset + list.IdxBuffer[static_cast<int>(cmd.IdxOffset + i + k)])];
        };
        const ImDrawVert &a = at(0), &b = at(1), &c = at(2);
        // Letters use an area of the font texture; everything else one point of it, or a line.
        const float area = (b.uv.x - a.uv.x) * (c.uv.y - a.uv.y) - (c.uv.x - a.uv.x) * (b.uv.y - a.uv.y);
        if (std::fabs(area) < 1e-9f) continue;
        ++triangles;
        const float left = std::min({a.pos.x, b.pos.x, c.pos.x}), right = std::max({a.pos.x, b.pos.x, c.pos.x});
        cut += left < cmd.ClipRect.x - 1 || right > cmd.ClipRect.z + 1 ? 1 : 0;
      }
    }
  }
  return {triangles / 2, cut};
}

inline std::size_t letters_of(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return c != ' ' && (c & 0xC0) != 0x80; }));
}

}  // namespace tv::test
