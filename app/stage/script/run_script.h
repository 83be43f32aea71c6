// traceview script: plays a user's keys and mouse actions on the window, without a display. Returns the exit code.
#pragma once

#include "app/line/options.h"

namespace tv {

int run_script(const Options& options);

}  // namespace tv
