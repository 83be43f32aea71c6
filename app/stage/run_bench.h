// traceview bench: what loading, drawing and asking cost on the user's own files. For comparing machines and versions; the
// figures are those of one run.
#pragma once

#include "app/line/options.h"

namespace tv {

int run_bench(const Options& options);

}  // namespace tv
