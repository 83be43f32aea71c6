// Where files can be dropped on the window, and what each place does: in the place of what is open, beside it on one timeline, or
// in a new tab. Where the mouse is at the drop counts; of a place between the targets, the nearest. With Shift: beside.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tv {

enum class OpenHow : std::uint8_t { Replace, Add, NewTab };

struct DropTarget {
  OpenHow how = OpenHow::Replace;
  float x = 0, y = 0, width = 0, height = 0;  ///< in the window's units
  std::string_view title;
  std::string hint;  ///< what becomes of what is open
};

/// `open`: the title of what is open; empty: there is one target then. `scale`: of the interface.
std::vector<DropTarget> drop_targets(float width, float height, float scale, std::string_view open);

/// Which of them a drop there is for; there is at least one.
std::size_t drop_target_at(const std::vector<DropTarget>& targets, float x, float y, bool shift);

}  // namespace tv
