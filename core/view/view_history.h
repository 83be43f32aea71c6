// Where the user has looked: Back and Forward for views, like a browser's. Quick successive changes (a zoom
// by wheel, a held key) are one step. Times are seconds of any clock that does not go back; core has none of
// its own.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "core/view/viewport.h"

namespace tv {

class ViewHistory {
 public:
  static constexpr double kPauseS = 0.7;  ///< a change this long after the last one begins a new step
  static constexpr std::size_t kMost = 200;

  /// The view has become this. What was ahead is forgotten.
  void visit(const Viewport& view, double now_s);
  /// The view to go to, or none at the end.
  std::optional<Viewport> back();
  std::optional<Viewport> forward();
  bool can_go_back() const { return at_ > 0; }
  bool can_go_forward() const { return at_ + 1 < views_.size(); }
  void clear() { *this = {}; }

 private:
  std::vector<Viewport> views_;
  std::size_t at_ = 0;
  double last_visit_s_ = 0;
  bool may_merge_ = false;  ///< the current step was begun by visit, and not reached by back or forward
};

}  // namespace tv
