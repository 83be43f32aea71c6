// traceview bench: measures loading, drawing, queries and export on the user's own files, to compare machines and versions. A
// load is measured once; most other figures are the best of three or five runs.
#pragma once

#include "app/line/options.h"

namespace tv {

int run_bench(const Options& options);

}  // namespace tv
