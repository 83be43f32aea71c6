// The time that is shown, the target of its animation, and its history.
#pragma once

#include "core/view/navigation/navigation.h"
#include "core/view/navigation/view_history.h"
#include "core/view/navigation/viewport.h"

namespace tv {

struct ViewMotion {
  MovingView view;
  Navigation navigation;
  ViewHistory history;
  bool fitted = true;    ///< the view shows everything, and keeps doing so while more is loaded
  bool fit_next = true;  ///< something else was opened, so the view will show all of it
};

}  // namespace tv
