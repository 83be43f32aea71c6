// traceview dump: everything that was read, as text.
#include "app/headless.h"
#include "app/headless_load.h"
#include "app/standard_output.h"
#include "core/store/trace_dump.h"

namespace tv {

int run_dump(const Options& options) {
  ThreadPool pool(options.threads);
  const HeadlessLoad load = load_headless(options, pool);
  if (load.exit == exit_code::kFailed) return load.exit;
  dump_trace(*load.snapshot->trace, print_text);
  return load.exit;
}

}  // namespace tv
