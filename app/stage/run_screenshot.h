// traceview screenshot: the window's view as a picture, without a display.
#pragma once

#include "app/line/options.h"

namespace tv {

int run_screenshot(const Options& options);

}  // namespace tv
