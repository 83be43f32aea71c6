// How the window looks: colours, and whether things glide.
#include "core/session/workspace.h"

namespace tv {

void Workspace::set_appearance(const Appearance& appearance) {
  if (appearance == appearance_) return;
  appearance_ = appearance;
  set_theme(theme_);  // colours of slices
  ++layout_version_;  // what was drawn with the old ones
}

void Workspace::jump_to_targets() {
  view_.jump(view_.target);
  scroll_y_ = scroll_target_ = clamped_scroll(scroll_target_);
}

}  // namespace tv
