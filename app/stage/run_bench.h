// traceview bench: measures loading, drawing, queries and export with the user's own files, to compare machines and versions.
// `bench load` runs once; most figures of the others are the best of three or five runs.
#pragma once

#include "app/line/options.h"

namespace tv {

int run_bench(const Options& options);

}  // namespace tv
