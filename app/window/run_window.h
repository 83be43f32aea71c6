// traceview [PATH...]: runs the window. Returns the exit code.
#pragma once

#include "app/line/options.h"

namespace tv {

int run_window(const Options& options);

}  // namespace tv
