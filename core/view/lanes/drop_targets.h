// Where files can be dropped on the window, and what each target does: replace the open files, add to them on one timeline, or open
// a new tab. The position of the mouse at the drop decides; between targets, the nearest one counts. With Shift a drop always adds.
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
  std::string hint;  ///< what happens to the open files
};

/// `open`: the title of the open files; if it is empty, there is only one target. `scale`: scale of the interface.
std::vector<DropTarget> drop_targets(float width, float height, float scale, std::string_view open);

/// The target of a drop at this position; there is at least one.
std::size_t drop_target_at(const std::vector<DropTarget>& targets, float x, float y, bool shift);

}  // namespace tv
