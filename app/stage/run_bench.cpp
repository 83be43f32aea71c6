#include "app/stage/run_bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>
#include <span>

#include "app/line/load_options.h"
#include "app/stage/allocation_count.h"
#include "app/stage/bench_figure.h"
#include "app/stage/headless_stage.h"
#include "app/stage/process_costs.h"
#include "app/terminal/say.h"
#include "app/verbs/headless_load.h"
#include "core/analysis/collectives/collective_waits.h"
#include "core/analysis/filter/request_filter.h"
#include "core/analysis/gpu/gpu_marks.h"
#include "core/analysis/rollout/rollout.h"
#include "core/analysis/statistics/summary.h"
#include "core/export/formats/export_chrome.h"
#include "core/query/range_stats.h"
#include "core/query/search/search_hits.h"
#include "core/session/load/load_job.h"
#include "core/session/records/record_search.h"
#include "core/view/charts/chart_kinds.h"
#include "core/view/timeline/timeline_frame.h"

namespace tv {
namespace {

using Json = nlohmann::ordered_json;

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::string joined(const Json& row, std::string_view separator) {
  std::string line;
  for (const auto& [key, value] : row.items()) {
    line += fmt::format("{}{} {}", line.empty() ? "" : separator, key, value.is_string() ? value.get<std::string>() : value.dump());
  }
  return line;
}

void print(const Options& options, const Json& row) { say("{}\n", options.json ? row.dump(1) : joined(row, "\n")); }

// Prints each row immediately: with software OpenGL, rows are minutes apart.
void print_line(const Options& options, Json& rows, Json row) {
  if (!options.json) {
    say("{}\n", joined(row, "  "));
    std::fflush(stdout);
  }
  rows.push_back(std::move(row));
}

double to_ms(double seconds) { return rounded(1e3 * seconds, 1e-3); }

int bench_load(const Options& options) {
  ThreadPool pool(options.threads);
  LoadOptions load = load_options(options);
  load.cache.believe = false;
  std::shared_ptr<const Snapshot> snapshot;
  LoadJob job(options.paths, pool, load, [&](std::shared_ptr<const Snapshot> s) { snapshot = std::move(s); });
  job.wait();
  if (const auto too_large = job.too_large()) {
    say(stderr, "traceview: this {}\n", too_large->text());
    return exit_code::kFailed;
  }
  const LoadTimes& times = job.times();
  const LoadStatus status = job.status();
  const Trace& trace = *snapshot->trace;
  const auto items = static_cast<double>(std::max<std::size_t>(trace.items(), 1));
  Json rows = {{"files", status.files_done},
                  {"bytes", status.bytes_total},
                  {"slices", trace.slice_count},
                  {"instants", trace.instant_count},
                  {"flows", trace.flows.size()},
                  {"lost", trace.lost()},
                  {"threads", pool.size()},
                  {"first_picture_s", rounded(times.first_view, 1e-3)},
                  {"find_s", rounded(times.found, 1e-3)},
                  {"read_s", rounded(times.read - times.found, 1e-3)},
                  {"build_s", rounded(times.built - times.read, 1e-3)},
                  {"index_s", rounded(times.indexed - times.built, 1e-3)},
                  {"total_s", rounded(times.indexed, 1e-3)},
                  {"mb_per_s", rounded(static_cast<double>(status.bytes_total) / 1e6 / times.indexed, 1)},
                  {"peak_mb", rounded(peak_bytes() / 1e6, 1)},
                  {"peak_bytes_per_slice", rounded(peak_bytes() / items, 0.1)},
                  {"trace_bytes_per_slice", rounded(static_cast<double>(trace.bytes()) / items, 0.1)},
                  {"index_bytes_per_slice", rounded(static_cast<double>(snapshot->index->bytes()) / items, 0.1)}};
  if (times.cached > 0) {
    rows["cache_written_s"] = rounded(times.cached - times.indexed, 1e-3);
    load.cache.believe = true;
    LoadJob second(options.paths, pool, load, [](std::shared_ptr<const Snapshot>) {});
    second.wait();
    rows["second_open_from_cache"] = second.times().nothing_read;
    rows["second_open_s"] = rounded(second.times().indexed, 1e-3);
  }
  print(options, rows);
  return trace.items() > 0 ? exit_code::kOk : exit_code::kNotRecognised;
}

// Measures adding the last path to the others, like a drop on the window. Compares this with opening that path alone, and with
// opening all paths at once.
int bench_add(const Options& options) {
  if (options.paths.size() < 2) {
    say(stderr, "traceview: bench add needs at least two paths: it adds the last to the others\n");
    return exit_code::kUsage;
  }
  constexpr int kTimes = 3;  // runs, of which the fastest counts
  ThreadPool pool(options.threads);
  LoadOptions load = load_options(options);
  load.cache = {};
  std::shared_ptr<const Snapshot> snapshot;
  const auto publish = [&](std::shared_ptr<const Snapshot> s) { snapshot = std::move(s); };
  struct Load {
    LoadTimes times;
    EarlierLoad left;
  };
  const auto load_paths = [&](const std::vector<std::string>& paths, const EarlierLoad& earlier) {
    LoadJob job(paths, pool, load, publish, earlier);
    job.wait();
    return Load{job.times(), job.left()};
  };
  const auto fastest = [&](const std::vector<std::string>& paths, const EarlierLoad& earlier) {
    LoadTimes best = load_paths(paths, earlier).times;
    for (int time = 1; time < kTimes; ++time) {
      const LoadTimes times = load_paths(paths, earlier).times;
      if (times.indexed < best.indexed) best = times;
    }
    return best;
  };
  const std::vector<std::string> one{options.paths.back()}, others(options.paths.begin(), options.paths.end() - 1);
  const double alone = fastest(one, {}).indexed;
  const Load open = load_paths(others, {});
  const auto on_the_screen = snapshot;
  const std::uint64_t before = on_the_screen->trace->items();
  const LoadTimes added = fastest(options.paths, open.left);
  const auto shown = snapshot;
  const double at_once = load_paths(options.paths, {}).times.indexed;
  print(options, {{"open_slices", before},
                  {"slices", shown->trace->items()},
                  {"segments", std::max<std::size_t>(shown->trace->parts.size(), 1)},
                  {"alone_s", rounded(alone, 1e-4)},
                  {"beside_s", rounded(added.indexed, 1e-4)},
                  {"beside_by_alone", rounded(added.indexed / alone, 1e-2)},
                  {"beside_read_s", rounded(added.read, 1e-4)},
                  {"beside_build_s", rounded(added.built - added.read, 1e-4)},
                  {"beside_index_s", rounded(added.indexed - added.built, 1e-4)},
                  {"at_once_s", rounded(at_once, 1e-4)}});
  return shown->trace->items() > before ? exit_code::kOk : exit_code::kNotRecognised;
}

struct Timing {
  std::vector<double> model_s, frame_s;
  std::uint64_t allocations = 0, frames = 0, visits = 0, instances = 0;
};

// Measures the same views for the model alone and for whole frames, after one warm-up. The cost of a view is the minimum of a few
// runs: an expensive view is expensive in every run, whereas preemption adds 20 ms only occasionally.
Timing time_views(HeadlessStage& stage, const std::vector<TimeRange>& views, const FrameParams& params) {
  constexpr int kTimes = 3;
  Timing timing;
  timing.model_s.assign(views.size(), std::numeric_limits<double>::infinity());
  timing.frame_s = timing.model_s;
  Workspace& workspace = stage.workspace();
  FrameBuilder builder;
  TimelineFrame frame;
  for (int time = 0; time <= kTimes; ++time) {
    for (std::size_t v = 0; v < views.size(); ++v) {
      workspace.apply(command::ZoomTo{views[v]});
      const std::uint64_t allocated = allocations_of_this_thread();
      const double model = thread_seconds();
      builder.build(workspace.snapshot(), workspace.state().layout(), workspace.state().view(), params, frame);
      const double model_s = thread_seconds() - model;
      const std::uint64_t allocations = allocations_of_this_thread() - allocated;
      const double drawn = seconds_now();
      stage.drawn_frame();
      if (time == 0) continue;
      timing.model_s[v] = std::min(timing.model_s[v], model_s);
      timing.frame_s[v] = std::min(timing.frame_s[v], seconds_now() - drawn);
      timing.allocations += allocations;
      timing.visits = std::max(timing.visits, frame.stats.nodes_visited);
      timing.instances = std::max<std::uint64_t>(timing.instances, frame.stats.rects + frame.stats.strips);
    }
  }
  timing.frames = kTimes * views.size();
  return timing;
}

int bench_frame(const Options& options) {
  constexpr int kViews = 40;
  constexpr double kStep = 4;
  HeadlessStage stage(options);
  if (auto opened = stage.open_gl(); !opened) {
    say(stderr, "traceview: {}\n", opened.error().text());
    return exit_code::kFailed;
  }
  Workspace& workspace = stage.workspace();
  workspace.apply(command::OpenPaths{options.paths, false});
  stage.wait_until_loaded();
  stage.settle();
  if (workspace.trace().items() == 0) return exit_code::kNotRecognised;
  FrameParams params;
  params.width_px = static_cast<std::uint32_t>(options.width);
  params.height_px = static_cast<float>(options.height);
  params.palette = &workspace.palette();
  const TimeRange whole = reachable_extent(workspace.trace());
  std::mt19937_64 random(1);
  Json rows = Json::array();
  double worst_model = 0, worst_frame = 0;
  for (double span = static_cast<double>(whole.length()); span > 100; span /= kStep) {
    std::vector<TimeRange> views;
    for (int i = 0; i < kViews; ++i) {
      const double room = static_cast<double>(whole.length()) - span;
      const auto begin = whole.begin + static_cast<Ns>(std::uniform_real_distribution<double>(0, 1)(random) * room);
      views.push_back({begin, begin + static_cast<Ns>(span)});
    }
    const Timing timing = time_views(stage, views, params);
    worst_model = std::max(worst_model, quantile(sorted_measured(timing.model_s), 0.99));
    worst_frame = std::max(worst_frame, quantile(sorted_measured(timing.frame_s), 0.99));
    print_line(options, rows,
               {{"span", format_duration(static_cast<Ns>(span))},
                {"model_p50_ms", to_ms(quantile(sorted_measured(timing.model_s), 0.5))},
                {"model_p99_ms", to_ms(quantile(sorted_measured(timing.model_s), 0.99))},
                {"frame_p50_ms", to_ms(quantile(sorted_measured(timing.frame_s), 0.5))},
                {"frame_p99_ms", to_ms(quantile(sorted_measured(timing.frame_s), 0.99))},
                {"visits", timing.visits},
                {"instances", timing.instances},
                {"allocations_per_frame",
                 rounded(static_cast<double>(timing.allocations) / static_cast<double>(timing.frames), 0.01)}});
  }
  print_line(options, rows,
             {{"size", fmt::format("{}x{}", options.width, options.height)},
              {"lanes_shown", workspace.state().layout().boxes().size()},
              {"driver", stage.driver()},
              {"worst_model_p99_ms", to_ms(worst_model)},
              {"worst_frame_p99_ms", to_ms(worst_frame)}});
  if (options.json) print(options, rows);
  return exit_code::kOk;
}

double best_of_five(const std::function<void()>& ask) {
  double best = 1e9;
  for (int i = 0; i < 5; ++i) {
    const double start = seconds_now();
    ask();
    best = std::min(best, seconds_now() - start);
  }
  return best;
}

// Times the analysis of a new rollout, then the filter and the charts when the user brushes the slowest tenth of its requests.
void add_rollout(Json& figures, const std::shared_ptr<const Trace>& trace, ThreadPool& pool) {
  std::shared_ptr<const Rollout> rollout;
  figures["rollout_analysis_ms"] = to_ms(best_of_five([&] { rollout = make_rollout(trace, pool); }));
  figures["rollout_requests"] = rollout->size();
  if (rollout->size() == 0) return;
  const RequestSet all = all_requests(*rollout);
  const double p90 = quantile(sorted_measured(std::vector(rollout->seconds.begin(), rollout->seconds.end())), 0.9);
  ChartQuestion question;
  question.step = 0;
  question.requests = all;
  const std::string brush = range_filter("dur", p90, std::numeric_limits<double>::infinity());
  figures["rollout_brush_ms"] =
      to_ms(best_of_five([&] { question.requests = apply(*rollout, parse_filter(brush).value(), all); }));
  figures["rollout_brushed"] = question.requests.size();
  double slowest = 0;  // of the charts that follow the brush; usually one is shown
  const RunData data{.rollout = rollout};
  for (const ChartKind& kind : chart_kinds()) {
    if (kind.of != RunPart::Rollout) continue;
    const double ms = to_ms(best_of_five([&] { kind.make(data, question); }));
    figures[fmt::format("chart_{}_ms", kind.id)] = ms;
    if (kind.of_requests) slowest = std::max(slowest, ms);
  }
  figures["brush_to_charts_ms"] = figures["rollout_brush_ms"].get<double>() + slowest;
}

// Times what the window computes in the background for each snapshot with GPUs, and for each opened panel.
void add_gpus(Json& figures, const std::shared_ptr<const Trace>& trace, ThreadPool& pool) {
  RunData data;
  figures["gpu_analysis_ms"] = to_ms(best_of_five([&] { data.gpu = make_gpu_activity(trace, pool); }));
  figures["gpus"] = data.gpu->gpus.size();
  if (data.gpu->gpus.empty()) return;
  // This is the cost after a load that leaves all GPUs unchanged.
  figures["gpu_analysis_again_ms"] = to_ms(best_of_five([&] { make_gpu_activity(trace, pool, {}, data.gpu.get()); }));
  const auto rollout = trace->rollout.empty() ? nullptr : make_rollout(trace, pool);
  const auto steps = steps_of(*trace, rollout.get());
  std::shared_ptr<const GpuMarks> marks;
  figures["gpu_marks_ms"] = to_ms(best_of_five([&] { marks = make_gpu_marks(data.gpu, &steps, pool); }));
  figures["gpu_marks_again_ms"] = to_ms(best_of_five([&] { make_gpu_marks(data.gpu, &steps, pool, marks.get()); }));
  figures["steps_ms"] = to_ms(best_of_five([&] { steps_of(*trace, rollout.get()); }));
  figures["pace_names_ms"] =
      to_ms(best_of_five([&] { data.paces = std::make_shared<const std::vector<PaceName>>(pace_names(*trace)); }));
  figures["collective_waits_ms"] = to_ms(best_of_five([&] { data.waits = make_collective_waits(*data.gpu); }));
  for (const ChartKind& kind : chart_kinds()) {
    if (kind.of != RunPart::Gpu) continue;
    figures[fmt::format("chart_{}_ms", kind.id)] = to_ms(best_of_five([&] { kind.make(data, {}); }));
  }
}

int bench_query(const Options& options) {
  ThreadPool pool(options.threads);
  const HeadlessLoad load = load_headless(options, pool);
  if (load.exit == exit_code::kFailed) return load.exit;
  const Trace& trace = *load.snapshot->trace;
  if (trace.items() == 0) return load.exit;
  RangeStats stats;
  const double stats_s = best_of_five([&] { stats = range_stats(trace, {}, pool); });
  const std::string name(trace.labels.name(stats.labels.empty() ? LabelId{0} : stats.labels.front().label));
  const std::string part = name.substr(0, 12);
  LabelSet found;
  std::shared_ptr<const RecordHits> records;
  std::uint64_t hits = 0;
  const double search_s = best_of_five([&] {
    found = find_labels(trace.labels, part);
    hits = SearchHits(trace, found, nullptr, pool).count();
  });
  const double records_s = best_of_five([&] {
    RecordSearch job(load.snapshot->trace, part, pool, [] {});
    job.wait();
    records = job.hits();
  });
  Json figures = {{"slices", trace.slice_count},
                  {"names", trace.labels.size()},
                  {"statistics_ms", to_ms(stats_s)},
                  {"search_ms", to_ms(search_s)},
                  {"search_hits", hits},
                  {"records_search_ms", to_ms(records_s)},
                  {"records_search_mb_per_s", rounded(static_cast<double>(records->bytes) / 1e6 / records_s, 1)},
                  {"records_search_hits", records->slices.size()}};
  if (!trace.rollout.empty()) add_rollout(figures, load.snapshot->trace, pool);
  if (may_have_gpus(trace)) add_gpus(figures, load.snapshot->trace, pool);
  print(options, figures);
  return load.exit;
}

// Measures the export with its reading of records; the output is discarded, so no disk is written.
int bench_export(const Options& options) {
  ThreadPool pool(options.threads);
  const HeadlessLoad load = load_headless(options, pool);
  if (load.exit == exit_code::kFailed) return load.exit;
  const Trace& trace = *load.snapshot->trace;
  const double loaded_mb = peak_bytes() / 1e6, loaded_cpu = process_seconds();
  const ExportSink discard = [](std::string_view) { return Result<void>(); };
  ExportTotals totals;
  double best_cpu = 1e9, cpu = loaded_cpu;
  const double best = best_of_five([&] {
    totals = export_chrome(trace, {}, pool, discard).value();
    best_cpu = std::min(best_cpu, process_seconds() - cpu);
    cpu = process_seconds();
  });
  std::uint64_t text = 0;
  for (const SourceInfo& source : trace.sources) text += source.bytes;
  print(options, {{"slices", totals.slices},
                  {"files_mb", rounded(static_cast<double>(text) / 1e6, 0.1)},
                  {"written_mb", rounded(static_cast<double>(totals.bytes) / 1e6, 0.1)},
                  {"export_s", rounded(best, 1e-3)},
                  {"processor_s", rounded(best_cpu, 1e-3)},
                  {"written_mb_per_s", rounded(static_cast<double>(totals.bytes) / 1e6 / best, 1)},
                  {"files_mb_per_s", rounded(static_cast<double>(text) / 1e6 / best, 1)},
                  {"peak_mb_before", rounded(loaded_mb, 1)},
                  {"peak_mb", rounded(peak_bytes() / 1e6, 1)}});
  return load.exit;
}

}  // namespace

int run_bench(const Options& options) {
  switch (options.bench) {
    case BenchKind::Load: return bench_load(options);
    case BenchKind::Add: return bench_add(options);
    case BenchKind::Frame: return bench_frame(options);
    case BenchKind::Query: return bench_query(options);
    case BenchKind::Export: return bench_export(options);
  }
  return exit_code::kUsage;
}

}  // namespace tv
