// traceview bench: the cost of loading, drawing and queries on the user's own files. For comparing machines and versions; the
// figures are from a single run.
#pragma once

#include "app/line/options.h"

namespace tv {

int run_bench(const Options& options);

}  // namespace tv
