// Which time is shown, where the view glides to, and where it has been.
#pragma once

#include "core/view/navigation/navigation.h"
#include "core/view/navigation/view_history.h"
#include "core/view/navigation/viewport.h"

namespace tv {

struct ViewMotion {
  MovingView view;
  Navigation navigation;
  ViewHistory history;
  bool fitted = true;    ///< the view shows everything: it keeps doing so while more is loaded
  bool fit_next = true;  ///< something new was opened
};

}  // namespace tv
