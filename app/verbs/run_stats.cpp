// traceview stats: prints the table that an area selection shows, for the whole trace, a range or a step. --of instead prints one
// chart, or the findings. With --json or --csv, the headline of the table goes to stderr.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "app/terminal/say.h"
#include "app/verbs/chart_words.h"
#include "app/verbs/gpu_json.h"
#include "app/verbs/headless.h"
#include "app/verbs/headless_load.h"
#include "app/verbs/lane_gap_text.h"
#include "app/verbs/statistics_json.h"
#include "app/verbs/stats_groups.h"
#include "core/analysis/gpu/step_ranges.h"
#include "core/analysis/run/damaged_files.h"
#include "core/analysis/run/run_scope.h"
#include "core/base/text/ascii.h"
#include "core/base/text/count_text.h"
#include "core/query/range_stats.h"
#include "core/view/chart/chart_csv.h"
#include "core/view/charts/gpu/charts_gpu.h"
#include "core/view/charts/rollout/rollout_chart_parts.h"
#include "core/view/lists/statistics_table.h"
#include "core/view/picture/chart_as_table.h"
#include "core/view/words/statistics_figures.h"

namespace tv {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kFindings = "findings";

// Returns no scope for the whole trace.
Result<std::optional<Scope>> scope_of(const Options& options, const Trace& trace, const Rollout* rollout) {
  if (!options.stats_step.empty()) {
    const auto step = find_step(steps_of(trace, rollout), options.stats_step);
    if (!step) return step.error();
    return std::optional(Scope{step.value().range, {}, step.value().text});
  }
  const std::optional<TimeRange> range = range_within(options, trace);
  if (!range) return std::optional<Scope>();
  return std::optional(Scope{{range->begin, std::max(range->begin, range->end)}, {}, {}});  // an empty range if it lies outside the trace
}

std::string scope_with_times(const Scope& scope) {
  return fmt::format("{} (from {} to {})", words_of(scope), format_exact(scope.range.begin), format_exact(scope.range.end));
}

std::string headline(const Snapshot& snapshot, const Scope& scope, const StatsQuery& query, const RangeStats& stats) {
  std::string out = "in " + scope_with_times(scope);
  if (query.labels.empty()) {
    out += fmt::format(", during {} of which something ran", format_duration(busy_time(snapshot, query, stats)));
  }
  return out + fmt::format("\n{}; total and self count only the part inside the range (slices that reach beyond it: {}); mean, "
                           "percentiles and max are those of whole slices",
                           count_text(stats.count, "slice"), format_count(stats.cut));
}

void print_text(const Trace& trace, const RangeStats& stats, std::size_t rows) {
  std::string titles;
  for (const StatisticsFigure& figure : statistics_figures()) {
    if (!figure.line.empty()) titles += fmt::format("{:>10} ", figure.line);
  }
  say("{} name\n", titles);
  const std::vector<std::string> names = shown_names(trace.labels, stats);
  for (std::size_t i = 0; i < rows; ++i) {
    const LabelStats& row = stats.labels[i];
    std::string line;
    for (const StatisticsFigure& figure : statistics_figures()) {
      if (figure.line.empty()) continue;
      line += fmt::format("{:>10} ", figure.id == "count" ? std::to_string(row.count) : figure_text(figure, row, stats));
    }
    const std::string unfinished =
        row.unfinished == 0 ? "" : fmt::format("  ({} of them never ended and add no time)", format_count(row.unfinished));
    say("{} {}{}\n", line, names[i], unfinished);
  }
  if (rows < stats.labels.size()) say("... and {} (--top N)\n", count_text(stats.labels.size() - rows, "more name"));
}

// Prints tables, JSON or CSV of the charts whose id contains `only`.
void print_charts(const std::vector<Chart>& charts, const Options& options, std::string_view only) {
  std::string text;
  Json json = Json::array();
  for (const Chart& chart : charts) {
    if (chart.id.find(only) == std::string::npos) continue;
    if (options.json) {
      json.push_back(chart_json(chart));
    } else if (options.csv) {
      text += (text.empty() ? "" : "\r\n") + table_csv(chart_as_table(chart).table);
    } else {
      const std::string table = table_text(chart, options.top > 0 ? options.top : kTextRows);
      text += (text.empty() || table.empty() ? "" : "\n") + table;
    }
  }
  say("{}", options.json ? json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n" : text);
}

// A value of --of about GPUs: as text it prints the table of its chart, as JSON what `json` returns.
struct GpuQuestion {
  std::string_view word, chart;
  std::string_view only;  ///< selects charts by a part of their id
  Json (*json)(const RunData& data, const ChartSettings& settings, ThreadPool& pool);
  bool json_is_list = true;  ///< --top can cut it
};
Json communication_answer(const RunData& data, const ChartSettings& settings, ThreadPool& pool) {
  return nccl_json(*gpu_activity(data, settings), *data.waits, pool);
}
constexpr std::array<GpuQuestion, 8> kGpuQuestions = {{
    {"gpus", "gpu", "",
     [](const RunData& data, const ChartSettings& settings, ThreadPool&) {
       return gpus_json(*gpu_activity(data, settings), data);
     }},
    {"gaps", "gpu_gaps", "",
     [](const RunData& data, const ChartSettings& settings, ThreadPool& pool) {
       return gaps_json(*data.gpu, settings, pool);
     }},
    {"nccl", "nccl_overlap", "", communication_answer},
    {"communication", "nccl_overlap", "", communication_answer},
    {"stragglers", "nccl_overlap", "collective_waits",
     [](const RunData& data, const ChartSettings& settings, ThreadPool& pool) {
       return stragglers_json(*gpu_activity(data, settings), *data.waits, pool);
     },
     false},
    {"waits", "sync", "", [](const RunData& data, const ChartSettings&, ThreadPool&) { return waits_json(*data.gpu); }},
    {"launches", "launch_delay", "",
     [](const RunData& data, const ChartSettings&, ThreadPool& pool) { return launches_json(*data.gpu, pool); }},
    {"pace", "pace", "",
     [](const RunData& data, const ChartSettings& settings, ThreadPool&) { return pace_json(data, settings); }, false},
}};

Result<ChartSettings> settings_of(const Options& options, const RunData& data) {
  return parse_settings(data, options.settings);
}

int refuse(const std::string& why, int exit) {
  say(stderr, "traceview: {}\n", why);
  return exit;
}

int answer(const GpuQuestion& asked, const Options& options, const std::optional<Scope>& scope,
           const std::shared_ptr<const Trace>& trace, const RunData& known, ThreadPool& pool) {
  const RunData data = analyse_run(trace, pool, known);
  if (!data.damaged.empty()) return refuse(damaged_words(data.damaged), exit_code::kFailed);
  if (!data.gpu) {
    return refuse(fmt::format("--of {}: there is no work on a GPU in what was read", asked.word),
                  exit_code::kNotRecognised);
  }
  const auto settings = settings_of(options, data);
  if (!settings) return refuse("--set: " + settings.error().text(), exit_code::kUsage);
  const ScopedRun part = scope ? run_within(data, *scope, RunPart::Gpu, pool) : ScopedRun{data, {}, true};
  if (!part.inside) {
    return refuse(fmt::format("--of {}: no GPU did anything in {}", asked.word, scope_with_times(*scope)),
                  exit_code::kNotRecognised);
  }
  if (options.json) {
    if (scope) say(stderr, "traceview: in {}\n", scope_with_times(*scope));
    Json json = asked.json(part.data, settings.value(), pool);
    while (json.is_array() && options.top > 0 && json.size() > options.top) json.erase(json.size() - 1);
    say("{}\n", json.dump(1));
    return exit_code::kOk;
  }
  ChartQuestion question;
  question.settings = settings.value();
  question.area = scope;
  const auto kind = std::ranges::find(chart_kinds(), asked.chart, &ChartKind::id);
  print_charts(make_charts(*kind, data, question), options, asked.only);
  return exit_code::kOk;
}

// Prints a chart. For a chart of one rollout step, --step N is the number in the rollout log.
int answer(const ChartKind& kind, const Options& options, const std::optional<Scope>& scope,
           const std::shared_ptr<const Trace>& trace, const RunData& known, ThreadPool& pool) {
  const RunData data = analyse_run(trace, pool, known);
  if (!data.damaged.empty()) return refuse(damaged_words(data.damaged), exit_code::kFailed);
  if (!data.has(kind.of)) {
    return refuse(fmt::format("--of {}: {}", kind.id, missing_text(kind.of)), exit_code::kNotRecognised);
  }
  const auto settings = settings_of(options, data);
  if (!settings) return refuse("--set: " + settings.error().text(), exit_code::kUsage);
  ChartQuestion question;
  question.settings = settings.value();
  if (data.rollout) question.requests = all_requests(*data.rollout);
  const auto number = whole_number(options.stats_step);
  if (kind.of == RunPart::Rollout && kind.scope == ChartScope::Step && number) {
    question.step = step_of_number(*data.rollout, *number);
    if (!question.step) return refuse(fmt::format("--of {}: the rollout has no step {}", kind.id, *number), exit_code::kUsage);
  } else {
    question.area = scope;
  }
  print_charts(make_charts(kind, data, question), options, {});
  return exit_code::kOk;
}

int answer_findings(const Options& options, const std::shared_ptr<const Trace>& trace, const RunData& known, ThreadPool& pool) {
  const RunData data = analyse_run(trace, pool, known);
  if (!data.damaged.empty()) return refuse(damaged_words(data.damaged), exit_code::kFailed);
  if (data.empty()) return refuse("--of findings: " + std::string(kNothingToReport), exit_code::kNotRecognised);
  const std::vector<Finding> found = findings(data, *trace);
  if (options.json) {
    say("{}\n", findings_json(found, data).dump(1, ' ', false, Json::error_handler_t::replace));
  } else {
    say("{}", findings_text(found, options.top > 0 ? options.top : found.size()));
  }
  return exit_code::kOk;
}

// The kind of work to which --of restricts the table.
std::optional<WorkKind> work_kind_named(std::string_view word) {
  for (std::size_t k = 0; k < kWorkKinds; ++k) {
    if (name(static_cast<WorkKind>(k)) == word) return static_cast<WorkKind>(k);
  }
  return std::nullopt;
}

std::vector<std::string_view> stats_words() {
  std::vector<std::string_view> words = {kFindings};
  const auto add = [&words](std::string_view word) {
    if (std::ranges::find(words, word) == words.end()) words.push_back(word);
  };
  for (std::size_t k = 0; k < kWorkKinds; ++k) add(name(static_cast<WorkKind>(k)));
  for (const GpuQuestion& question : kGpuQuestions) add(question.word);
  for (const ChartKind& kind : chart_kinds()) add(kind.id);
  return words;
}

// Says which of the given options would have no effect with --of. The answer would look as if they had been applied.
std::string ignored_by_of(const Options& options) {
  const auto of_gpus = std::ranges::find(kGpuQuestions, options.stats_of, &GpuQuestion::word);
  const bool asks_gpus = of_gpus != kGpuQuestions.end();
  const bool names = options.stats_of.empty() || (work_kind_named(options.stats_of) && !asks_gpus);
  if (!names && (!options.where.empty() || !options.group_by.empty())) {
    return fmt::format("--where and --group-by do not go with --of {}", options.stats_of);
  }
  if (options.stats_of == kFindings && (options.range || !options.stats_step.empty() || !options.settings.empty() || options.csv)) {
    return "--of findings is about everything that is read: --range, --step, --set and --csv do not go with it";
  }
  const bool json_is_list = asks_gpus && of_gpus->json_is_list;
  const bool whole = options.csv || (options.json && !json_is_list);  // only text and lists in JSON can be cut
  if (!names && options.top > 0 && whole) {
    return fmt::format("--top does not go with --of {} and {}", options.stats_of, options.json ? "--json" : "--csv");
  }
  if (!options.lane_filter.empty() && (options.stats_of != "gaps" || !options.settings.empty())) {
    return "--lanes needs --of gaps, and does not go with --set";
  }
  if (!options.lane_filter.empty() && options.csv) return "--csv does not go with --lanes";
  if (names && !options.settings.empty()) return "--set needs --of with a chart that has controls";
  return {};
}

}  // namespace

int run_stats(const Options& options) {
  const std::vector<std::string_view> words = stats_words();
  if (!options.stats_of.empty() && std::ranges::find(words, options.stats_of) == words.end()) {
    std::string all;
    for (const std::string_view word : words) all += (all.empty() ? "" : ", ") + std::string(word);
    return refuse(fmt::format("--of {}: unknown; choose one of {}", options.stats_of, all),
                  exit_code::kUsage);
  }
  const auto grouping = parse_grouping(options.group_by);
  if (!grouping) {
    return refuse(fmt::format("--group-by {}: choose name, category, lane, process or arg:NAME", options.group_by),
                  exit_code::kUsage);
  }
  if (const std::string ignored = ignored_by_of(options); !ignored.empty()) return refuse(ignored, exit_code::kUsage);
  ThreadPool pool(options.threads);
  const HeadlessLoad load = load_headless(options, pool);
  if (load.exit == exit_code::kFailed) return load.exit;
  const Trace& trace = *load.snapshot->trace;
  // Steps of a rollout are found by its analysis, which is reused below.
  RunData known;
  if (!options.stats_step.empty() && !trace.rollout.empty()) known.rollout = make_rollout(load.snapshot->trace, pool);
  const auto scope = scope_of(options, trace, known.rollout.get());
  if (!scope) {
    say(stderr, "traceview: {}\n", scope.error().text());
    return exit_code::kUsage;
  }
  if (!options.lane_filter.empty()) {
    const int exit = print_lane_gaps(options, trace, scope.value(), pool);
    return exit == exit_code::kOk ? load.exit : exit;
  }
  if (const auto asked = std::ranges::find(kGpuQuestions, options.stats_of, &GpuQuestion::word);
      asked != kGpuQuestions.end()) {
    const int exit = answer(*asked, options, scope.value(), load.snapshot->trace, known, pool);
    return exit == exit_code::kOk ? load.exit : exit;
  }
  if (options.stats_of == kFindings) {
    const int exit = answer_findings(options, load.snapshot->trace, known, pool);
    return exit == exit_code::kOk ? load.exit : exit;
  }
  const bool names = work_kind_named(options.stats_of).has_value();
  if (const auto kind = std::ranges::find(chart_kinds(), options.stats_of, &ChartKind::id);
      kind != chart_kinds().end() && !names) {
    const int exit = answer(*kind, options, scope.value(), load.snapshot->trace, known, pool);
    return exit == exit_code::kOk ? load.exit : exit;
  }
  if (!options.group_by.empty() || !options.where.empty()) {
    StatisticsQuestion asked;
    if (scope.value()) asked.range = scope.value()->range;
    asked.by = *grouping;
    asked.where = options.where;
    if (const auto kind = work_kind_named(options.stats_of)) asked.labels = labels_of(trace, *kind);
    const auto made = std::make_shared<const Statistics>(ask_statistics(*load.snapshot, asked, pool));
    const int exit = print_statistics(options, load.snapshot->trace, made);
    if (exit != exit_code::kOk) return exit;
    // With --json or --csv, the headline on stderr reports the failures already.
    if (made->failed > 0 && !options.json && !options.csv) {
      say(stderr, "traceview: {}\n", std::string_view(made->limits).substr(made->limits.find_first_not_of("; ")));
    }
    return options.strict && made->failed > 0 ? exit_code::kLosses : load.exit;
  }
  StatsQuery query;
  if (const auto kind = work_kind_named(options.stats_of)) query = query_of(trace, *kind);
  if (scope.value()) query.range = scope.value()->range;
  query.unions = options.csv;
  query.busy = scope.value() && query.labels.empty();  // for the headline
  const RangeStats stats = range_stats(trace, query, pool);
  const std::size_t asked = options.top > 0 ? options.top : options.json || options.csv ? stats.labels.size() : kTextRows;
  const std::size_t rows = std::min(asked, stats.labels.size());
  if (scope.value()) {
    const bool for_programs = options.json || options.csv;
    say(for_programs ? stderr : stdout, "{}{}\n", for_programs ? "traceview: " : "",
        headline(*load.snapshot, *scope.value(), query, stats));
  }
  if (options.json) {
    say("{}\n", label_stats_json(trace, stats, rows).dump(1));
  } else if (options.csv) {
    auto made = std::make_shared<Statistics>();
    made->stats = stats;
    const StatisticsModel model(load.snapshot->trace, std::move(made));
    say("{}", statistics_csv(model, rows));
  } else {
    print_text(trace, stats, rows);
  }
  return load.exit;
}

}  // namespace tv
