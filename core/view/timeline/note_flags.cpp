#include "core/view/timeline/note_flags.h"

#include <algorithm>

namespace tv {

void place_flags(std::span<const Note> notes, const Viewport& view, std::uint32_t width_px,
                 const std::function<double(const Note&)>& name_px, double least_px, double most_px, std::vector<NoteFlag>& out) {
  out.clear();
  const PixelMap map = pixel_map(view, width_px);
  const auto right = static_cast<double>(width_px);
  for (std::size_t n = 0; n < notes.size(); ++n) {
    if (notes[n].is_span()) continue;
    const double x = map.x_of(static_cast<double>(notes[n].time.begin));
    if (x < 0 || x > right) continue;
    out.push_back({static_cast<std::uint32_t>(n), x, x, notes[n].name.empty() ? 0 : std::min(most_px, name_px(notes[n]))});
  }
  // Goes from right to left: each name ends where the next begins. At the right edge, a name is placed left of its mark if there is
  // room.
  double next = right;
  for (std::size_t f = out.size(); f-- > 0;) {
    NoteFlag& flag = out[f];
    if (flag.label_px <= 0) continue;
    const double room = next - flag.x;
    double left = 0;
    for (std::size_t before = f; before-- > 0;) {
      if (out[before].label_px > 0) {
        left = out[before].x + least_px;
        break;
      }
    }
    if (room < least_px && next == right && flag.x - left >= std::min(flag.label_px, 2 * least_px)) {
      flag.label_px = std::min(flag.label_px, flag.x - left);
      flag.label_x = flag.x - flag.label_px;
    } else {
      flag.label_px = std::min(flag.label_px, room);
      if (flag.label_px < least_px) flag.label_px = 0;
    }
    if (flag.label_px > 0) next = flag.label_x;
  }
}

}  // namespace tv
