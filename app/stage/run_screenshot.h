// traceview screenshot: writes a picture of what the window would show, without a display.
#pragma once

#include "app/line/options.h"

namespace tv {

int run_screenshot(const Options& options);

}  // namespace tv
