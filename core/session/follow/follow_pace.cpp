#include "core/session/follow/follow_pace.h"

#include <algorithm>

namespace tv {

void FollowPace::changed(double now_s) {
  if (!first_change_s_) first_change_s_ = now_s;
  last_change_s_ = now_s;
}

void FollowPace::began(double now_s) {
  first_change_s_.reset();
  began_s_ = now_s;
}

void FollowPace::ended(double now_s) {
  if (!began_s_) return;
  not_before_s_ = now_s + std::clamp(kPause * (now_s - *began_s_), 0.0, kLongestPause_s);
  began_s_.reset();
}

std::optional<double> FollowPace::due_s() const {
  if (!first_change_s_ || began_s_) return std::nullopt;
  return std::max(std::min(last_change_s_ + kQuiet_s, *first_change_s_ + kLongest_s), not_before_s_);
}

}  // namespace tv
