// traceview report: every chart of a rollout as a picture and as CSV, an index.html that needs no network, report.json.
#include <fmt/format.h>

#include <fstream>

#include "app/headless.h"
#include "app/headless_load.h"
#include "core/analysis/rollout.h"
#include "core/analysis/verl_scripts.h"

namespace tv {

int run_report(const Options& options) {
  ThreadPool pool(options.threads);
  const HeadlessLoad load = load_headless(options, pool);
  if (load.exit == exit_code::kFailed) return load.exit;
  const auto rollout = make_rollout(load.snapshot->trace, pool);
  std::ofstream(options.output + "/report.json") << verl_scripts_json(*rollout);
  return load.exit;
}

}  // namespace tv
