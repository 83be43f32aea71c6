// traceview export: writes the loaded trace in a format for other programs.
#include <cstdio>
#include <nlohmann/json.hpp>

#include "app/terminal/say.h"
#include "app/verbs/headless.h"
#include "app/verbs/headless_load.h"
#include "core/export/export_trace.h"
#include "core/io/written/new_file.h"
#include "core/query/lane_filter.h"
#include "core/store/draft/input_files.h"

namespace tv {
namespace {

Result<ExportTotals> write_output(const Trace& trace, const ExportChoice& choice, const Options& options,
                                  ThreadPool& pool) {
  if (auto free = check_output(options.output, trace.sources); !free) return free.error();
  const bool binary = options.export_format == ExportFormat::Perfetto;
  auto file = NewFile::output(options.output, binary ? NewFile::Content::Binary : NewFile::Content::Text);
  if (!file) return file.error();
  auto totals = export_trace(trace, choice, options.export_format, pool,
                             [&](std::string_view bytes) { return file->append(bytes); });
  if (!totals) return totals;
  if (auto done = file->commit(); !done) return done.error();
  return totals;
}

void print_totals(const ExportTotals& totals, const Options& options) {
  std::FILE* const out = options.output == "-" ? stderr : stdout;
  if (options.json) {
    const nlohmann::ordered_json figures = {{"file", options.output},
                                            {"bytes", totals.bytes},
                                            {"slices", totals.slices},
                                            {"instants", totals.instants},
                                            {"samples", totals.samples},
                                            {"flows", totals.flows},
                                            {"without_args", totals.without_args},
                                            {"left_out", totals.left_out}};
    say(out, "{}\n", figures.dump(1));
  } else if (options.output != "-") {
    say(out, "{}\n", totals_text(options.output, totals));
  }
}

}  // namespace

int run_export(const Options& options) {
  ThreadPool pool(options.threads);
  const HeadlessLoad load = load_headless(options, pool);
  if (load.exit == exit_code::kFailed || load.exit == exit_code::kNotRecognised) return load.exit;
  const Trace& trace = *load.snapshot->trace;
  ExportChoice choice;
  choice.range = options.range;
  if (!options.lanes.empty()) {
    auto chosen = chosen_lanes(trace, options.lanes);
    if (!chosen) {
      say(stderr, "traceview: --lanes: {}\n", chosen.error().text());
      return exit_code::kUsage;
    }
    if (chosen.value().as_expression) {
      say(stderr,
          "traceview: no lane has these words, so --lanes is taken as a regular expression; write it as '/{}/'\n",
          options.lanes);
    }
    choice.lanes = std::move(chosen.value().lanes);
  }
  const auto totals = write_output(trace, choice, options, pool);
  if (!totals) {
    say(stderr, "traceview: {}\n", totals.error().text());
    return exit_code::kFailed;
  }
  for (const std::string& problem : totals.value().problems) say(stderr, "traceview: {}\n", problem);
  for (const std::string& what : totals.value().left_out) say(stderr, "traceview: left out: {}\n", what);
  if (totals.value().without_args > 0) {
    say(stderr, "traceview: {} slices were written without args, because their records could not be read again\n",
        totals.value().without_args);
  }
  if (totals.value().flows_moved > 0) {
    say(stderr, "traceview: {} arrows lead to another slice at the same time, because the format binds them only by time\n",
        totals.value().flows_moved);
  }
  if (totals.value().slices + totals.value().instants + totals.value().samples == 0) {
    say(stderr, "traceview: nothing was chosen, so the file has no events\n");
  }
  print_totals(totals.value(), options);
  const bool complete = totals.value().problems.empty() && totals.value().without_args == 0;
  return options.strict && !complete ? exit_code::kLosses : load.exit;
}

}  // namespace tv
