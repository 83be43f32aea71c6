// traceview report: writes the charts of the opened files as pictures and CSV, an index.html that needs no network, and JSON for
// programs.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "app/terminal/say.h"
#include "app/verbs/chart_words.h"
#include "app/verbs/gpu_json.h"
#include "app/verbs/headless.h"
#include "app/verbs/headless_load.h"
#include "app/verbs/info_pipeline.h"
#include "app/verbs/report_files.h"
#include "app/verbs/report_timeline.h"
#include "core/analysis/filter/fail_if.h"
#include "core/analysis/run/damaged_files.h"
#include "core/analysis/run/run_data.h"
#include "core/analysis/scripts/timing_script.h"
#include "core/analysis/scripts/verl_scripts.h"
#include "core/analysis/statistics/summary.h"
#include "core/base/text/count_text.h"
#include "core/base/text/csv_text.h"
#include "core/io/written/new_folder.h"
#include "core/store/draft/input_files.h"
#include "core/view/chart/chart_csv.h"
#include "core/view/picture/chart_svg.h"
#include "core/view/timeline/step_strip.h"
#include "tv_version.h"

namespace tv {
namespace {

constexpr std::size_t kMostSteps = 8;  // limit of steps with charts of their own, unless --steps is given

// All steps, or the kMostSteps that stand out most: first outliers, then the longest. In ascending order.
std::vector<std::uint32_t> steps_to_show(const Rollout& rollout, bool all) {
  std::vector<std::uint32_t> steps(rollout.steps.size());
  for (std::uint32_t s = 0; s < steps.size(); ++s) steps[s] = s;
  if (all || steps.size() <= kMostSteps) return steps;
  const StepStrip strip = step_strip(rollout);
  std::ranges::stable_sort(steps, [&](std::uint32_t a, std::uint32_t b) {
    const StepBar &x = strip.bars[a], &y = strip.bars[b];
    return x.factor != y.factor ? x.factor > y.factor : x.seconds > y.seconds;
  });
  steps.resize(kMostSteps);
  std::ranges::sort(steps);
  return steps;
}

bool wants_all_steps(const Options& options) { return options.like_verl_scripts || !options.choice.steps.empty(); }

ReportStep report_step(const Rollout& rollout, std::uint32_t step) {
  const auto number = rollout.steps[step].step;
  const auto run = rollout.steps[step].run + 1;
  if (rollout.runs.size() < 2) return {fmt::format("step_{}", number), fmt::format("step {}", number)};
  return {fmt::format("run_{}-step_{}", run, number), fmt::format("run {}, step {}", run, number)};
}

Result<void> add_charts(const RunData& data, const Options& options, const ChartSettings& settings, ReportFiles& files) {
  ChartQuestion question;
  question.settings = settings;
  question.as_script = options.like_verl_scripts;
  std::vector<std::uint32_t> steps;
  if (data.rollout) {
    question.requests = all_requests(*data.rollout);
    steps = steps_to_show(*data.rollout, wants_all_steps(options));
  }
  for (const ChartKind& kind : chart_kinds()) {
    if (!data.has(kind.of) || (options.like_verl_scripts && !kind.of_script)) continue;
    if (!options.charts.empty() && std::ranges::find(options.charts, kind.id) == options.charts.end()) continue;
    // Without --charts, a kind for slices adds only its first chart, and only for GPU traces.
    const bool of_kernel = kind.of == RunPart::Slices && options.charts.empty();
    if (of_kernel && !data.gpu) continue;
    const bool of_step = kind.of == RunPart::Rollout && kind.scope == ChartScope::Step;
    const std::size_t times = of_step ? steps.size() : 1;
    std::vector<std::vector<Chart>> made;
    std::map<std::string, std::size_t> same_text;
    ChartFrame frame;
    frame.width = 960;
    frame.height = 540;
    const auto text_of = [&](const Chart& chart) { return chart_csv(chart) + chart_svg(chart_picture(chart, frame)); };
    for (std::size_t i = 0; i < times; ++i) {
      question.step = of_step ? std::optional(steps[i]) : std::nullopt;
      made.push_back(make_charts(kind, data, question));
      if (of_kernel) made.back().resize(1);
      for (const Chart& chart : made.back()) ++same_text[text_of(chart)];
    }
    for (std::size_t i = 0; i < times; ++i) {
      for (const Chart& chart : made[i]) {
        // Charts that are the same for every step, such as a comparison of two runs, appear only once.
        const bool of_all = times > 1 && same_text[text_of(chart)] == times;
        if (of_all && i > 0) continue;
        const ReportStep step = of_step && !of_all ? report_step(*data.rollout, steps[i]) : ReportStep();
        if (auto added = files.add(kind, chart, step); !added) return added;
      }
    }
  }
  return {};
}

std::string summary_of(const Rollout& rollout, const Options& options) {
  return fmt::format(
      "{}, {}, {}; {} still in flight when the log ends. Charts of a single step exist for {}.",
      count_text(rollout.steps.size(), "step"), count_text(rollout.workers.size(), "worker"),
      count_text(rollout.size(), "request"), rollout.in_flight.size(),
      rollout.steps.size() <= kMostSteps || wants_all_steps(options)
          ? "all steps"
          : "those that stand out and the longest ones; --steps A..B chooses others");
}

std::string title_of(const RunData& data) {
  if (!data.rollout && data.training) return "Training log " + data.training->runs.front().name;
  if (!data.rollout && data.pipelines) return "Pipeline " + data.pipelines->front().name;
  if (!data.rollout) return data.gpu->gpus.size() == 1 ? data.gpu->gpus[0].name : fmt::format("{} GPUs", data.gpu->gpus.size());
  return data.rollout->runs.empty() ? "Rollout" : "Rollout of " + data.rollout->runs.front();
}

// The head of the page: title, files, time and host of the recording, summary.
ReportHead head_of(const RunData& data, const Trace& trace, const Options& options) {
  ReportHead head{title_of(data), {}};
  std::string files;
  for (const std::string& path : options.paths) files += (files.empty() ? "" : ", ") + path;
  head.lines.push_back(files);
  std::string when;
  const bool clock = std::ranges::any_of(trace.sources, [](const SourceInfo& source) { return source.wall_clock; });
  if (clock && trace.origin_ns > kYear2001) {
    const auto second = [](Ns at) { return format_wall_clock(at).substr(0, 19); };
    when = fmt::format("{} to {} UTC, {}", second(trace.origin_ns + trace.work.begin),
                       second(trace.origin_ns + trace.work.end), format_duration(trace.work.length()));
  } else {
    when = format_duration(trace.work.length());
  }
  std::set<std::string> hosts;
  for (const SourceInfo& source : trace.sources) {
    if (!source.host.empty()) hosts.insert(source.host);
  }
  if (hosts.size() == 1) when += ", host " + *hosts.begin();
  if (hosts.size() > 1) when += fmt::format(", {} hosts", hosts.size());
  head.lines.push_back(when);
  if (data.rollout) head.lines.push_back(summary_of(*data.rollout, options));
  return head;
}

std::vector<ReportFinding> first_page(const RunData& data, const std::shared_ptr<const Snapshot>& snapshot,
                                      const Options& options, const ReportFiles& files) {
  std::vector<ReportFinding> page;
  if (options.like_verl_scripts) return page;  // verl's scripts compute no findings
  const std::vector<Finding> found = findings(data, *snapshot->trace);
  std::vector<std::optional<Image>> pictures = timeline_pictures(options, snapshot, found);
  for (std::size_t f = 0; f < found.size(); ++f) {
    const std::string suffix = found[f].step && data.rollout ? report_step(*data.rollout, *found[f].step).suffix : std::string();
    page.push_back({found[f], files.anchor_of(found[f].chart, suffix), std::move(pictures[f])});
  }
  return page;
}

// All metrics as logged, one line per log and step, for other programs.
std::string metrics_csv(const Training& training) {
  std::vector<std::string> names;
  for (const TrainingRun& run : training.runs) {
    for (const Metric& metric : run.metrics) names.push_back(metric.name);
  }
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  std::string out = "log,step";
  for (const std::string& name : names) out += "," + csv_field(name);
  out += "\r\n";
  for (const TrainingRun& run : training.runs) {
    std::vector<const Metric*> columns;
    for (const std::string& name : names) columns.push_back(run.find(name));
    for (std::size_t s = 0; s < run.steps.size(); ++s) {
      out += fmt::format("{},{}", csv_field(run.name), run.steps[s]);
      for (const Metric* const metric : columns) {
        out += metric && !std::isnan(metric->values[s]) ? fmt::format(",{}", metric->values[s]) : ",";
      }
      out += "\r\n";
    }
  }
  return out;
}

nlohmann::ordered_json figures_of(const RunData& data) {
  nlohmann::ordered_json report = {{"traceview", TV_VERSION}};
  if (data.rollout) {
    report["runs"] = data.rollout->runs;
    report["steps"] = data.rollout->steps.size();
    report["workers"] = data.rollout->workers;
    report["requests"] = data.rollout->size();
    report["in_flight"] = data.rollout->in_flight.size();
  }
  if (data.pipelines) report["pipelines"] = pipelines_json(*data.pipelines);
  return report;
}

nlohmann::ordered_json summary_json(const Metric& metric) {
  const Summary summary = summarize(metric.values);
  return {{"n", summary.n},     {"mean", summary.mean}, {"std", summary.std},
          {"min", summary.min}, {"max", summary.max},   {"median", summary.median}};
}

// Statistics and values per step of each metric, NaN as null. --like: statistics and text of verl's script instead.
Result<void> write_training(const Training& training, const Options& options, ReportFiles& files) {
  nlohmann::ordered_json logs = nlohmann::ordered_json::array();
  std::string text;
  for (const TrainingRun& run : training.runs) {
    nlohmann::ordered_json log = {{"log", run.name},
                                  {run.unit + "s", run.steps},
                                  {"repeated", run.repeated},
                                  {"placing", training.log().files[run.file].placing}};
    const TimingScript script = timing_script(training, run);
    for (const Metric& metric : options.like_verl_scripts ? script.metrics : run.metrics) {
      nlohmann::ordered_json& figures = log["metrics"][metric.name] = summary_json(metric);
      if (!options.like_verl_scripts) figures["values"] = metric.values;
    }
    logs.push_back(std::move(log));
    if (training.runs.size() > 1) text += run.name + "\n";
    text += fmt::format("Found {} metrics\n\n{}\n", script.metrics.size(), timing_summary_text(script));
  }
  const std::string json = logs.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  if (auto written = files.write("training.json", json + "\n"); !written) return written;
  return options.like_verl_scripts ? files.write("timing_summary.txt", text) : Result<void>();
}

// A chart that is unknown or has no data is an error that lists the available ones.
Result<void> check_charts(const RunData& data, const Options& options) {
  std::string known;
  for (const ChartKind& kind : chart_kinds()) {
    if (data.has(kind.of)) known += (known.empty() ? "" : ", ") + std::string(kind.id);
  }
  for (const std::string& name : options.charts) {
    const auto kind = std::ranges::find(chart_kinds(), name, &ChartKind::id);
    if (kind == chart_kinds().end()) return Error{"there is no chart " + name, {}, {}, "there are " + known};
    if (!data.has(kind->of))
      return Error{fmt::format("chart {}: {}", name, missing_text(kind->of)), {}, {}, "there are " + known};
  }
  return {};
}

Result<void> write_files(const RunData& data, const std::shared_ptr<const Snapshot>& snapshot, const Options& options,
                         const ChartSettings& settings, ThreadPool& pool, ReportFiles& files) {
  if (auto added = add_charts(data, options, settings, files); !added) return added;
  files.end_charts();
  const std::vector<ReportFinding> found = first_page(data, snapshot, options, files);
  if (auto written = files.write_index(head_of(data, *snapshot->trace, options), found); !written) return written;
  if (options.single) return {};
  if (data.training) {
    if (auto written = write_training(*data.training, options, files); !written) return written;
    if (auto written = files.write("metrics.csv", metrics_csv(*data.training)); !written) return written;
  }
  if (data.gpu && !options.like_verl_scripts) {
    if (auto written = files.write("gpu.json", gpu_json(data, settings, pool).dump(1) + "\n"); !written) return written;
  }
  if (options.like_verl_scripts && data.rollout) {
    return files.write("report.json", verl_scripts_json(*data.rollout) + "\n");
  }
  nlohmann::ordered_json report = figures_of(data);
  std::vector<Finding> sentences;
  for (const ReportFinding& one : found) sentences.push_back(one.finding);
  report["findings"] = findings_json(sentences, data);
  report["charts"] = files.entries();
  return files.write("report.json", report.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
}

// Writes the whole report or nothing.
Result<void> write_report(const RunData& data, const std::shared_ptr<const Snapshot>& snapshot, const Options& options,
                          const ChartSettings& settings, ThreadPool& pool) {
  auto folder = NewFolder::create(options.output);
  if (!folder) return folder.error();
  std::optional<ChartPrinter> printer;
  if (options.png) {
    auto made = ChartPrinter::create();
    if (made)
      printer = std::move(made.value());
    else
      say(stderr, "traceview: pictures are written as SVG, because PNG cannot be drawn here: {}\n", made.error().text());
  }
  ReportFiles files(options.output, input_files(snapshot->trace->sources), std::move(printer), options.single);
  if (auto written = write_files(data, snapshot, options, settings, pool, files); !written) return written;
  if (auto placed = files.finish(); !placed) return placed;
  folder->keep();
  return {};
}

}  // namespace

int run_report(const Options& options) {
  std::optional<FailIf> rule;
  if (!options.fail_if.empty()) {
    auto parsed = parse_fail_if(options.fail_if);
    if (!parsed) {
      say(stderr, "traceview: --fail-if: {}\n", parsed.error().text());
      return exit_code::kUsage;
    }
    rule = parsed.value();
  }
  ThreadPool pool(options.threads);
  const HeadlessLoad load = load_headless(options, pool);
  if (load.exit == exit_code::kFailed || load.exit == exit_code::kNotRecognised) return load.exit;
  const RunData data = analyse_run(load.snapshot->trace, pool);
  if (!data.damaged.empty()) {
    say(stderr, "traceview: {}\n", damaged_words(data.damaged));
    return exit_code::kFailed;
  }
  if (data.empty()) {
    say(stderr, "traceview: nothing to report: {}\n", kNothingToReport);
    return exit_code::kNotRecognised;
  }
  if (rule && !data.rollout) {
    say(stderr, "traceview: --fail-if: no rollout log among the files, so there is nothing to judge\n");
    return exit_code::kUsage;
  }
  const auto settings = parse_settings(data, options.settings);
  if (!settings) {
    say(stderr, "traceview: --set: {}\n", settings.error().text());
    return exit_code::kUsage;
  }
  if (const auto checked = check_charts(data, options); !checked) {
    say(stderr, "traceview: --charts: {}\n", checked.error().text());
    return exit_code::kUsage;
  }
  // Evaluates --fail-if first: charts take longer, and need an output folder.
  bool fails = false;
  if (rule) {
    const FailVerdict verdict = evaluate(*data.rollout, *rule, all_requests(*data.rollout));
    say(stderr, "traceview: {}\n", verdict.text);
    fails = verdict.fails;
  }
  if (!options.output.empty()) {
    if (const auto written = write_report(data, load.snapshot, options, settings.value(), pool); !written) {
      say(stderr, "traceview: {}\n", written.error().text());
      return exit_code::kFailed;
    }
    say("{}\n", (std::filesystem::path(options.output) / "index.html").string());
  }
  return fails ? exit_code::kFailIf : load.exit;
}

}  // namespace tv
