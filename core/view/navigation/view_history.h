// The views and request filters that the user has visited: Back and Forward, as in a browser. Quick successive changes of the view
// (a zoom by wheel, a held key) are one step; a changed filter is always a separate step. Times are seconds of any monotonic clock;
// core has none of its own.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/view/navigation/viewport.h"

namespace tv {

struct Visit {
  Viewport view;
  std::vector<std::string> filters;  ///< chips (run_state.h)
  bool operator==(const Visit&) const = default;
};

class ViewHistory {
 public:
  static constexpr double kPauseS = 0.7;  ///< a change this long after the last one begins a new step
  static constexpr std::size_t kMost = 200;

  /// Records the current view. Views that forward() could reach are forgotten.
  void visit(Visit visit, double now_s);
  /// The view to go to, or none at the end of the history.
  std::optional<Visit> back();
  std::optional<Visit> forward();
  bool can_go_back() const { return at_ > 0; }
  bool can_go_forward() const { return at_ + 1 < visits_.size(); }
  void clear() { *this = {}; }

 private:
  std::vector<Visit> visits_;
  std::size_t at_ = 0;
  double last_visit_s_ = 0;
  bool may_merge_ = false;  ///< the current step was begun by visit(), not reached by back() or forward()
};

}  // namespace tv
