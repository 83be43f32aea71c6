// Where marks stand on the ruler, with their names: a name has the room up to the next mark that has one, and no name lies over another.
// Cost: O(notes), without allocation once `out` is large enough.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/view/navigation/viewport.h"
#include "core/view/timeline/notes.h"

namespace tv {

struct NoteFlag {
  std::uint32_t note = 0;  ///< which
  double x = 0;            ///< pixels
  double label_x = 0, label_px = 0;  ///< of its name; 0 wide: it has none, or there is no room
};

/// The flags in sight, from left to right. `name_px(note)`: width of its name with everything around it; `least_px`: the least
/// width of a cut name, else it is left out; a name wider than `most_px` is cut.
void place_flags(std::span<const Note> notes, const Viewport& view, std::uint32_t width_px,
                 const std::function<double(const Note&)>& name_px, double least_px, double most_px, std::vector<NoteFlag>& out);

}  // namespace tv
