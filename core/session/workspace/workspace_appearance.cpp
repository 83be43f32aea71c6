// How the window looks: colours, and whether things glide.
#include "core/session/workspace/workspace.h"

namespace tv {

void Workspace::set_appearance(const Appearance& appearance) {
  settings_->palette = appearance.palette;
  settings_->reduced_motion = appearance.reduced_motion;
}

void Workspace::jump_to_targets() {
  view_.jump(view_.target);
  for (const SplitHalf half : kHalves) {
    if (has(half)) of(half).scroll_y = of(half).scroll_target = clamped_scroll(of(half).scroll_target, half);
  }
}

}  // namespace tv
