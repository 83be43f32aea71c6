// traceview stats: the table of an area selection, for the whole trace, a range of it or a step; or one question about
// its GPUs. What is limited says to what: in text on the output, with --json on stderr.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "app/chart_words.h"
#include "app/gpu_json.h"
#include "app/headless.h"
#include "app/headless_load.h"
#include "core/analysis/run_scope.h"
#include "core/analysis/step_ranges.h"
#include "core/base/count_text.h"
#include "core/query/range_stats.h"
#include "core/view/charts_gpu.h"

namespace tv {
namespace {

using Json = nlohmann::ordered_json;

// None: all of it.
Result<std::optional<Scope>> scope_of(const Options& options, const Trace& trace) {
  if (!options.stats_step.empty()) {
    const auto step = find_step(steps_of(trace), options.stats_step);
    if (!step) return step.error();
    return std::optional(Scope{step.value().range, {}, step.value().text});
  }
  const std::optional<TimeRange> range = range_within(options, trace);
  if (!range) return std::optional<Scope>();
  return std::optional(Scope{{range->begin, std::max(range->begin, range->end)}, {}, {}});  // empty: beside all there is
}

std::string where(const Scope& scope) {
  return fmt::format("{} (from {} to {})", words_of(scope), format_exact(scope.range.begin), format_exact(scope.range.end));
}

std::string headline(const Snapshot& snapshot, const Scope& scope, const StatsQuery& query, const RangeStats& stats) {
  std::string out = "in " + where(scope);
  if (query.labels.empty()) out += fmt::format(", during {} of which something ran", format_duration(busy_union(snapshot, query)));
  return out + fmt::format("\n{} slices; total and self are clipped to it ({} reach beyond), mean, percentiles and max are of "
                           "whole slices",
                           format_count(stats.count), format_count(stats.cut));
}

void print_text(const Trace& trace, const RangeStats& stats, std::size_t rows) {
  const auto time = [](double ns) { return format_duration(static_cast<Ns>(ns)); };
  fmt::print("{:>9} {:>10} {:>10} {:>10} {:>10} {:>10} {:>10} {:>10}  name\n", "count", "total", "self", "mean", "p50",
             "p95", "p99", "max");
  const std::vector<std::string> names = shown_names(trace.labels, stats);
  for (std::size_t i = 0; i < rows; ++i) {
    const LabelStats& s = stats.labels[i];
    fmt::print("{:>9} {:>10} {:>10} {:>10} {:>10} {:>10} {:>10} {:>10}  {}\n", s.count, format_duration(s.total),
               format_duration(s.self), time(s.mean), time(s.p50), time(s.p95), time(s.p99), format_duration(s.max),
               names[i]);
  }
  if (rows < stats.labels.size()) fmt::print("... and {} more names (--top N)\n", stats.labels.size() - rows);
}

// What is asked of GPUs: its chart, whose table is the text, and its figures.
struct GpuQuestion {
  std::string_view word, chart;
  Json (*json)(const RunData& data, const ChartSettings& settings, ThreadPool& pool);
};
constexpr std::array<GpuQuestion, 6> kGpuQuestions = {{
    {"gpus", "gpu", [](const RunData& data, const ChartSettings&, ThreadPool&) { return gpus_json(*data.gpu); }},
    {"gaps", "gpu_gaps",
     [](const RunData& data, const ChartSettings& settings, ThreadPool& pool) {
       return gaps_json(*data.gpu, settings, pool);
     }},
    {"nccl", "nccl_overlap",
     [](const RunData& data, const ChartSettings&, ThreadPool& pool) { return nccl_json(*data.gpu, pool); }},
    {"waits", "sync", [](const RunData& data, const ChartSettings&, ThreadPool&) { return waits_json(*data.gpu); }},
    {"launches", "launch_delay",
     [](const RunData& data, const ChartSettings&, ThreadPool& pool) { return launches_json(*data.gpu, pool); }},
    {"pace", "pace",
     [](const RunData& data, const ChartSettings& settings, ThreadPool&) { return pace_json(data, settings); }},
}};

int answer(const GpuQuestion& asked, const Options& options, const std::optional<Scope>& scope,
           const std::shared_ptr<const Trace>& trace, ThreadPool& pool) {
  const RunData data = analyse_run(trace, pool);
  if (!data.gpu) {
    fmt::print(stderr, "traceview: --of {}: there is no work on a GPU in what was read\n", asked.word);
    return exit_code::kNotRecognised;
  }
  const auto settings = parse_settings(data, options.settings);
  if (!settings) {
    fmt::print(stderr, "traceview: --set: {}\n", settings.error().text());
    return exit_code::kUsage;
  }
  const ScopedRun part = scope ? run_within(data, *scope, RunPart::Gpu, pool) : ScopedRun{data, {}, true};
  if (!part.inside) {
    fmt::print(stderr, "traceview: --of {}: no GPU did anything in {}\n", asked.word, where(*scope));
    return exit_code::kNotRecognised;
  }
  if (options.json) {
    if (scope) fmt::print(stderr, "traceview: in {}\n", where(*scope));
    Json json = asked.json(part.data, settings.value(), pool);
    while (json.is_array() && options.top > 0 && json.size() > options.top) json.erase(json.size() - 1);
    fmt::print("{}\n", json.dump(1));
    return exit_code::kOk;
  }
  ChartQuestion question;
  question.settings = settings.value();
  question.area = scope;
  const auto kind = std::ranges::find(chart_kinds(), asked.chart, &ChartKind::id);
  std::string text;
  for (const Chart& chart : make_charts(*kind, data, question)) {
    const std::string table = table_text(chart, options.top > 0 ? options.top : kTextRows);
    text += (text.empty() || table.empty() ? "" : "\n") + table;
  }
  fmt::print("{}", text);
  return exit_code::kOk;
}

}  // namespace

int run_stats(const Options& options) {
  ThreadPool pool(options.threads);
  const HeadlessLoad load = load_headless(options, pool);
  if (load.exit == exit_code::kFailed) return load.exit;
  const Trace& trace = *load.snapshot->trace;
  const auto scope = scope_of(options, trace);
  if (!scope) {
    fmt::print(stderr, "traceview: {}\n", scope.error().text());
    return exit_code::kUsage;
  }
  if (const auto asked = std::ranges::find(kGpuQuestions, options.stats_of, &GpuQuestion::word);
      asked != kGpuQuestions.end()) {
    const int exit = answer(*asked, options, scope.value(), load.snapshot->trace, pool);
    return exit == exit_code::kOk ? load.exit : exit;
  }
  if (!options.settings.empty()) {
    fmt::print(stderr, "traceview: --set goes with --of gaps and --of pace\n");
    return exit_code::kUsage;
  }
  StatsQuery query;
  if (scope.value()) query.range = scope.value()->range;
  for (std::size_t k = 0; k < kWorkKinds; ++k) {
    if (name(static_cast<WorkKind>(k)) == options.stats_of)
      query.labels = labels_of(trace.labels, static_cast<WorkKind>(k));
  }
  const RangeStats stats = range_stats(trace, query, pool);
  const std::size_t asked = options.top > 0 ? options.top : options.json ? stats.labels.size() : kTextRows;
  const std::size_t rows = std::min(asked, stats.labels.size());
  if (scope.value()) {
    fmt::print(options.json ? stderr : stdout, "{}{}\n", options.json ? "traceview: " : "",
               headline(*load.snapshot, *scope.value(), query, stats));
  }
  if (options.json) {
    fmt::print("{}\n", names_json(trace, stats, rows).dump(1));
  } else {
    print_text(trace, stats, rows);
  }
  return load.exit;
}

}  // namespace tv
