#include "app/window/frame_pacer.h"

#include <algorithm>

namespace tv {

void FramePacer::drawn(double now, const Activity& activity) {
  last_drawn_ = now;
  if (activity.input_left) wake();
  frames_left_ = std::max(frames_left_ - 1, activity.animating ? 1 : 0);  // draws one more frame after an animation has ended
}

double FramePacer::wait_s(double now, const Activity& activity) const {
  if (!activity.visible) return kForever;
  if (frames_left_ > 0 || activity.animating || activity.input_left) return std::max(last_drawn_ + kShortestInterval_s - now, 0.0);
  if (activity.job_running) return std::max(last_drawn_ + kJobInterval_s - now, 0.0);
  return kForever;
}

}  // namespace tv
