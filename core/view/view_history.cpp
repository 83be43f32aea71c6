#include "core/view/view_history.h"

namespace tv {

void ViewHistory::visit(const Viewport& view, double now_s) {
  if (!views_.empty() && views_[at_] == view) return;
  const bool same_step = may_merge_ && now_s - last_visit_s_ < kPauseS;
  last_visit_s_ = now_s;
  if (!views_.empty()) views_.resize(at_ + 1);
  // The very first view is where one can always come back to.
  if (same_step && at_ > 0) {
    views_[at_] = view;
    return;
  }
  views_.push_back(view);
  if (views_.size() > kMost) views_.erase(views_.begin());
  at_ = views_.size() - 1;
  may_merge_ = true;
}

std::optional<Viewport> ViewHistory::back() {
  if (!can_go_back()) return std::nullopt;
  may_merge_ = false;
  return views_[--at_];
}

std::optional<Viewport> ViewHistory::forward() {
  if (!can_go_forward()) return std::nullopt;
  may_merge_ = false;
  return views_[++at_];
}

}  // namespace tv
