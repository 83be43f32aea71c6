// traceview [PATH...]: the window.
#pragma once

#include "app/line/options.h"

namespace tv {

int run_window(const Options& options);

}  // namespace tv
