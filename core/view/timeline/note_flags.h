// Positions of marks and their names on the ruler. A name extends at most to the next mark with a name, so names never overlap. At
// the right edge, a name without room is before its mark. Cost: O(notes), without allocation once `out` is large enough.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/view/navigation/viewport.h"
#include "core/view/timeline/notes.h"

namespace tv {

struct NoteFlag {
  std::uint32_t note = 0;  ///< index of the note
  double x = 0;            ///< pixels
  double label_x = 0, label_px = 0;  ///< of its name; width 0: it has no name, or there is no room
};

/// The flags in sight, from left to right. `name_px(note)`: width of its name including padding, limited to `most_px`. A name is
/// cut to the available room, and left out if that is less than `least_px`.
void place_flags(std::span<const Note> notes, const Viewport& view, std::uint32_t width_px,
                 const std::function<double(const Note&)>& name_px, double least_px, double most_px, std::vector<NoteFlag>& out);

}  // namespace tv
