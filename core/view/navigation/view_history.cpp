#include "core/view/navigation/view_history.h"

#include <utility>

namespace tv {

void ViewHistory::visit(Visit visit, double now_s) {
  if (!visits_.empty() && visits_[at_] == visit) return;
  const bool same_step = may_merge_ && now_s - last_visit_s_ < kPauseS && visits_[at_].filters == visit.filters;
  last_visit_s_ = now_s;
  if (!visits_.empty()) visits_.resize(at_ + 1);
  // The oldest view is never overwritten by merging, so that the user can return to it.
  if (same_step && at_ > 0) {
    visits_[at_] = std::move(visit);
    return;
  }
  visits_.push_back(std::move(visit));
  if (visits_.size() > kMost) visits_.erase(visits_.begin());
  at_ = visits_.size() - 1;
  may_merge_ = true;
}

std::optional<Visit> ViewHistory::back() {
  if (!can_go_back()) return std::nullopt;
  may_merge_ = false;
  return visits_[--at_];
}

std::optional<Visit> ViewHistory::forward() {
  if (!can_go_forward()) return std::nullopt;
  may_merge_ = false;
  return visits_[++at_];
}

}  // namespace tv
