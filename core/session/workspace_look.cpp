// How the window looks: colours, and whether things glide.
#include "core/session/workspace.h"

namespace tv {

void Workspace::set_look(const Look& look) {
  if (look == look_) return;
  look_ = look;
  set_theme(theme_);  // colours of slices
  ++layout_version_;  // what was drawn with the old ones
}

void Workspace::jump_to_targets() {
  view_.jump(view_.target);
  scroll_y_ = scroll_target_ = clamped_scroll(scroll_target_);
}

}  // namespace tv
