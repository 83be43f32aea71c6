// traceview dump: prints all items that were read, as lines of JSON.
#include "app/terminal/standard_output.h"
#include "app/verbs/headless.h"
#include "app/verbs/headless_load.h"
#include "core/store/trace/trace_dump.h"

namespace tv {

int run_dump(const Options& options) {
  ThreadPool pool(options.threads);
  const HeadlessLoad load = load_headless(options, pool);
  if (load.exit == exit_code::kFailed) return load.exit;
  dump_trace(*load.snapshot->trace, print_text);
  return load.exit;
}

}  // namespace tv
