// traceview script: simulates a user's actions on the window without a display.
#pragma once

#include "app/line/options.h"

namespace tv {

int run_script(const Options& options);

}  // namespace tv
