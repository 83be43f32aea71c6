// A colour as the renderer and ImGui take it.
#pragma once

#include <cstdint>

namespace tv {

using Rgba = std::uint32_t;  ///< bytes R, G, B, A in memory order (ImGui's IM_COL32)

}  // namespace tv
