#include "core/view/charts/training/charts_training.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/analysis/scripts/timing_script.h"
#include "core/analysis/training/step_breakdown.h"
#include "core/store/logs/verl_metrics.h"
#include "core/view/chart/chart_cell.h"
#include "core/view/color/phase_colors.h"
#include "core/view/words/number_words.h"

namespace tv {
namespace {

constexpr int kTotalColor = kNeutralColor, kRestColor = kWaitingColor;

constexpr std::string_view kStepPartsNote =
    "The parts of a step in order, as logged, and the rest of timing_s/step that nothing in the log accounts for. verl's "
    "plot_timing_metrics.py stacks only gen, reward, old_log_prob, values, adv and the updates: ref, testing, checkpoints and "
    "weight updates are neither in the bars nor reported as missing. It numbers lines instead of steps, and loses what is "
    "written as np.float64(...).";
constexpr std::string_view kMetricNote =
    "Values as logged, by the printed step. If a step was printed again after a resume, its last values count. The mean is "
    "over the steps that have a value.";

// What the charts of one log have in common.
struct Asked {
  const Training& training;
  const TrainingRun& run;
  TimingScript script;
  const ChartQuestion& question;
  bool as_script() const { return question.as_script; }

  /// Empty if the log lacks the metric.
  std::vector<double> values(std::string_view metric) const {
    const Metric* const found = as_script() ? script.find(metric) : run.find(metric);
    return found ? found->values : std::vector<double>();
  }
  std::vector<double> positions(std::size_t n) const {
    std::vector<double> x;
    for (std::size_t i = 0; i < n; ++i) {
      x.push_back(as_script() ? static_cast<double>(i + 1) : static_cast<double>(run.steps[i]));
    }
    return x;
  }
  std::vector<ChartTarget> targets(std::size_t n) const {
    std::vector<ChartTarget> out;
    if (as_script()) return out;
    for (std::size_t i = 0; i < n; ++i) out.push_back({ChartTarget::Kind::TrainingStep, run.records[i]});
    return out;
  }
};

std::string phase_title(std::string_view name) {
  std::string out(name.substr(name.rfind('/') == name.npos ? 0 : name.find('/') + 1));
  std::ranges::replace(out, '_', ' ');
  return out;
}

ChartSeries series_of(const Asked& asked, std::string name, int color, std::vector<double> values) {
  ChartSeries series;
  series.name = std::move(name);
  series.mark = ChartSeries::Mark::LineAndDots;
  series.color = color;
  series.x = asked.positions(values.size());
  series.targets = asked.targets(values.size());
  series.y = std::move(values);
  return series;
}

Chart chart_of(const Asked& asked, std::string id, std::string_view title, std::string_view unit) {
  Chart chart;
  chart.id = std::move(id);
  const bool several = asked.training.runs.size() > 1;
  chart.title = fmt::format("{}{}{}", title, several ? ", " + asked.run.name : std::string(),
                            asked.as_script() ? ", as verl's script" : "");
  chart.x.title = asked.as_script() ? "line of metrics" : asked.run.unit;
  chart.x.unit = ChartUnit::Count;
  chart.y.title = unit;
  chart.y.from_zero = true;
  chart.note = kMetricNote;
  const auto& step = asked.question.training_step;
  if (step && !asked.as_script() && asked.run.index_of(*step)) {
    chart.rules.push_back({static_cast<double>(*step), true, fmt::format("{} {}", asked.run.unit, *step), kNeutralColor});
  }
  return chart;
}

// Four significant digits. Numbers from 1e4 to 1e12 are rounded to whole ones instead, to avoid an exponent.
std::string value_text(double value) {
  if (std::isnan(value)) return "-";
  return std::abs(value) >= 1e4 && std::abs(value) < 1e12 ? fmt::format("{:.0f}", value) : fmt::format("{:.4g}", value);
}

ChartCell milliseconds_cell(double ms) { return {fmt::format("{} ms", value_text(ms)), ms, "ms"}; }

void add_mean(Chart& chart, const ChartSeries& series, std::string_view of, int color) {
  const Summary summary = summarize(series.y);
  if (summary.n == 0) return;
  chart.rules.push_back({summary.mean, false, fmt::format("mean {}", value_text(summary.mean)), color});
  const std::string prefix = of.empty() ? std::string() : std::string(of) + " ";
  for (const auto& [name, value] : {std::pair("mean", summary.mean), {"std", summary.std}, {"min", summary.min},
                                    {"max", summary.max}, {"median", summary.median}}) {
    chart.facts.emplace_back(prefix + name, ChartCell(value_text(value), value));
  }
}

bool any_value(const std::vector<double>& values) {
  return std::ranges::any_of(values, [](double value) { return !std::isnan(value); });
}

void add_bars(Chart& chart, const Asked& asked, const std::string& name, int color, std::vector<double> seconds) {
  if (!any_value(seconds)) return;
  ChartSeries bars = series_of(asked, name, color, std::move(seconds));
  bars.mark = ChartSeries::Mark::Bars;
  for (double& value : bars.y) value = std::isnan(value) ? 0 : std::max(value, 0.0);
  chart.series.push_back(std::move(bars));
}

void add_total(Chart& chart, const Asked& asked, std::vector<double> seconds) {
  if (!any_value(seconds)) return;
  const Summary summary = summarize(seconds);
  chart.series.push_back(series_of(asked, "step, as logged", kTotalColor, std::move(seconds)));
  chart.facts.emplace_back("mean step", seconds_cell(summary.mean));
}

std::vector<std::string_view> script_stack(const TimingScript& script) {
  std::vector<std::string_view> names = {"gen", "reward", "old_log_prob", "values", "adv"};
  if (script.find("timing_s/update_critic_actor")) names.push_back("update_critic_actor");
  else names.insert(names.end(), {"update_critic", "update_actor"});
  return names;
}

Chart breakdown_chart(const Asked& asked) {
  Chart chart = chart_of(asked, "step_timing_breakdown", "Time of a step", "time (s)");
  chart.y.unit = ChartUnit::Seconds;
  chart.note = kStepPartsNote;
  if (asked.as_script()) {
    for (const std::string_view name : script_stack(asked.script)) {
      add_bars(chart, asked, phase_title(name), color_of_phase(name),
               asked.values(std::string(kTimingPrefix).append(name)));
    }
    add_total(chart, asked, asked.values("timing_s/step"));
    return chart;
  }
  const StepBreakdown breakdown = step_breakdown(asked.training, asked.run);
  for (const BreakdownPart& part : breakdown.parts) {
    add_bars(chart, asked, part.outside ? part.name + " (outside)" : part.name, color_of_phase(part.name),
             part.seconds);
  }
  if (!breakdown.parts.empty() && any_value(breakdown.unaccounted)) {
    add_bars(chart, asked, "unaccounted", kRestColor, breakdown.unaccounted);
    chart.series.back().faint = true;
  }
  add_total(chart, asked, breakdown.total);
  if (!breakdown.parts.empty() && any_value(breakdown.unaccounted)) {
    chart.facts.emplace_back("mean unaccounted", seconds_cell(summarize(breakdown.unaccounted).mean));
  }
  for (const std::string_view name : {"update_critic", "ref", "old_log_prob"}) {
    const bool is_logged = std::ranges::any_of(breakdown.parts, [&](const BreakdownPart& part) {
      return part.name == name || (name == "update_critic" && part.name == "update_critic_actor");
    });
    if (!is_logged && asked.run.find("timing_s/step")) chart.note += fmt::format(" Not logged here: {}.", name);
  }
  return chart;
}

Chart per_token_chart(const Asked& asked) {
  Chart chart = chart_of(asked, "per_token_timing", "Time per token", "time per token (ms)");
  const std::vector<Metric>& metrics = asked.as_script() ? asked.script.metrics : asked.run.metrics;
  for (const Metric& metric : metrics) {
    if (!metric.name.starts_with(kPerTokenPrefix)) continue;
    const std::string name = metric.name.substr(kPerTokenPrefix.size());
    chart.series.push_back(series_of(asked, name, color_of_phase(name), metric.values));
    chart.facts.emplace_back("mean " + name, milliseconds_cell(summarize(metric.values).mean));
  }
  chart.note = "gen is per token of the response, the others per token of prompt and response. " + std::string(kMetricNote);
  return chart;
}

Chart one_metric_chart(const Asked& asked, std::string id, std::string_view title, std::string_view unit,
                       std::string_view metric, int color) {
  Chart chart = chart_of(asked, std::move(id), title, unit);
  std::vector<double> values = asked.values(metric);
  if (!any_value(values)) return chart;
  chart.series.push_back(series_of(asked, std::string(metric), color, std::move(values)));
  add_mean(chart, chart.series.back(), {}, kNeutralColor);
  return chart;
}

Chart components_chart(const Asked& asked, std::string id, std::string_view title, std::vector<std::string_view> names) {
  Chart chart = chart_of(asked, std::move(id), title, "time (s)");
  chart.y.unit = ChartUnit::Seconds;
  for (const std::string_view name : names) {
    std::vector<double> values = asked.values(std::string(kTimingPrefix).append(name));
    if (!any_value(values)) continue;
    const double mean = summarize(values).mean;
    chart.series.push_back(
        series_of(asked, fmt::format("{} (mean {:.2f} s)", name, mean), color_of_phase(name), std::move(values)));
  }
  return chart;
}

/// The spread between the fastest and the slowest rank in each timer.
Chart timer_spread_chart(const Asked& asked) {
  constexpr std::string_view kTimers = "timers_ms/", kLeast = "/min";
  Chart chart = chart_of(asked, "timer_spread", "Slowest rank over the fastest, by timer", "difference (ms)");
  chart.note = "The log has each timer as (min, max) over the ranks; this is the difference, per iteration. A great difference in work "
               "that is the same on all ranks is a sign of a straggler. A timer that waits for others is shortest on the straggler.";
  for (const Metric& least : asked.run.metrics) {
    const bool timer_of = least.name.size() > kTimers.size() + kLeast.size() && least.name.starts_with(kTimers);
    if (!timer_of || !least.name.ends_with(kLeast)) continue;
    const std::string name = least.name.substr(0, least.name.size() - kLeast.size());
    const Metric* const most = asked.run.find(name);
    if (!most) continue;
    std::vector<double> spread;
    for (std::size_t s = 0; s < least.values.size(); ++s) spread.push_back(most->values[s] - least.values[s]);
    const std::string timer = name.substr(kTimers.size());
    chart.facts.emplace_back("mean " + timer, milliseconds_cell(summarize(spread).mean));
    chart.series.push_back(series_of(asked, timer, color_of_phase(timer), std::move(spread)));
  }
  return chart;
}

ChartTable step_table(const Asked& asked) {
  const StepBreakdown breakdown = step_breakdown(asked.training, asked.run);
  ChartTable table;
  table.columns = {{asked.run.unit, true}, {"total (s)", true}};
  for (const BreakdownPart& part : breakdown.parts) table.columns.push_back({part.name, true});
  if (!breakdown.parts.empty()) table.columns.push_back({"unaccounted", true});
  for (std::size_t s = 0; s < asked.run.steps.size(); ++s) {
    if (std::isnan(breakdown.total[s])) continue;  // a validation before the training has no total
    const auto seconds = [](double value) { return in_words(decimals(value, 3), seconds_cell(value)); };
    std::vector<ChartCell> row = {fmt::format("{}", asked.run.steps[s]), number_cell(breakdown.total[s], 3)};
    for (const BreakdownPart& part : breakdown.parts) row.push_back(seconds(part.seconds[s]));
    if (!breakdown.parts.empty()) row.push_back(seconds(breakdown.unaccounted[s]));
    table.rows.push_back(std::move(row));
    table.targets.push_back({ChartTarget::Kind::TrainingStep, asked.run.records[s]});
  }
  return table;
}

/// The unit of a metric such as "perf/throughput"; empty if its name does not say.
std::string_view unit_of(std::string_view metric) {
  if (is_verl_duration(metric)) return "s";
  if (metric.starts_with(kPerTokenPrefix)) return "ms per token";
  if (metric == "perf/throughput") return "tokens per second and GPU";
  if (metric.ends_with("_gb")) return "GB";
  return {};
}

const Metric* metric_in(const Training& training, std::string_view name) {
  for (const TrainingRun& run : training.runs) {
    if (const Metric* const metric = run.find(name)) return metric;
  }
  return nullptr;
}

std::string default_metric(const TrainingRun& run) {
  for (const std::string_view name : {"perf/throughput", "critic/score/mean", "lm loss", "timing_s/step"}) {
    if (run.find(name)) return std::string(name);
  }
  return run.metrics.empty() ? std::string() : run.metrics.front().name;
}

ChartTable summary_table(Chart& chart, const TrainingRun& run) {
  ChartTable table;
  table.columns = {{"metric", false}, {"n", true}, {"mean", true}, {"std", true}, {"min", true}, {"median", true}, {"max", true}};
  for (const Metric& metric : run.metrics) {
    const Summary summary = summarize(metric.values);
    const auto number = [](double value) {
      return ChartCell(std::isnan(value) ? std::string("-") : fmt::format("{:.6g}", value), value);
    };
    table.rows.push_back({metric.name, count_cell(summary.n), number(summary.mean), number(summary.std),
                          number(summary.min), number(summary.median), number(summary.max)});
    table.targets.push_back({ChartTarget::Kind::Setting, static_cast<std::uint32_t>(chart.settings.size())});
    chart.settings.emplace_back(kMetric, metric.name);
  }
  return table;
}

std::vector<ChartControl::Choice> metric_choices(const Training& training, std::string default_title) {
  std::vector<std::string> names;
  for (const TrainingRun& run : training.runs) {
    for (const Metric& metric : run.metrics) names.push_back(metric.name);
  }
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  std::vector<ChartControl::Choice> choices = {{"", std::move(default_title)}};
  for (const std::string& name : names) choices.push_back({name, name});
  return choices;
}

}  // namespace

const TrainingRun& run_in_question(const Training& training, const ChartSettings& settings) {
  const std::string_view wanted = settings.text(kTrainingLog);
  const auto named = std::ranges::find(training.runs, wanted, [](const TrainingRun& run) { return std::string_view(run.name); });
  if (named != training.runs.end()) return *named;
  return *std::ranges::max_element(training.runs, {}, [](const TrainingRun& run) { return run.steps.size(); });
}

std::vector<Chart> training_charts(const RunData& data, const ChartQuestion& question) {
  const Training& training = *data.training;
  const TrainingRun& run = run_in_question(training, question.settings);
  const Asked asked{training, run, timing_script(training, run), question};
  std::vector<Chart> charts;
  charts.push_back(breakdown_chart(asked));
  charts.push_back(per_token_chart(asked));
  charts.push_back(one_metric_chart(asked, "throughput", "Throughput", "tokens per second and GPU", "perf/throughput", 2));
  charts.push_back(one_metric_chart(asked, "time_per_step", "Time per step", "time (s)", "perf/time_per_step", 0));
  std::vector<std::string_view> updates = {"gen"};
  if (!asked.values("timing_s/update_critic_actor").empty()) updates.push_back("update_critic_actor");
  else updates.insert(updates.end(), {"update_actor", "update_critic"});
  charts.push_back(components_chart(asked, "component_comparison", "Generating and updating", std::move(updates)));
  charts.push_back(components_chart(asked, "generation_timing", "Generation", {"gen", "generate_sequences", "old_log_prob"}));
  if (!asked.as_script()) charts.push_back(timer_spread_chart(asked));
  std::erase_if(charts, [](const Chart& chart) { return chart.series.empty(); });
  if (charts.empty()) {
    return {empty_chart("step_timing_breakdown", "Time of a step",
                        asked.as_script() ? "verl's script: Error: No timing metrics found in log file"
                                          : "The log has no times of steps")};
  }
  return charts;
}

std::vector<Chart> training_step_charts(const RunData& data, const ChartQuestion& question) {
  ChartQuestion plain = question;
  plain.as_script = false;
  const Training& training = *data.training;
  const TrainingRun& run = run_in_question(training, question.settings);
  const Asked asked{training, run, {}, plain};
  Chart chart = chart_of(asked, "training_steps", fmt::format("Seconds of each {}, {}", run.unit, run.name), {});
  chart.note = kStepPartsNote;
  chart.table = step_table(asked);
  if (chart.table->rows.empty()) return {empty_chart(chart.id, chart.title, "The log has no times of steps")};
  return {std::move(chart)};
}

std::vector<Chart> metric_charts(const RunData& data, const ChartQuestion& question) {
  const Training& training = *data.training;
  const TrainingRun& run = run_in_question(training, question.settings);
  std::string name(question.settings.text(kMetric));
  if (name.empty() || !metric_in(training, name)) name = default_metric(run);
  const std::string second(question.settings.text(kSecondMetric));
  if (name.empty()) return {empty_chart("metric", "Metrics", "The log has no metrics")};
  Chart chart;
  chart.id = "metric";
  chart.title = name;
  chart.note = kMetricNote;
  chart.x.title = run.unit;
  chart.x.unit = ChartUnit::Count;
  chart.y.title = unit_of(name).empty() ? name : fmt::format("{} ({})", name, unit_of(name));
  ChartQuestion plain = question;  // the script has no such chart
  plain.as_script = false;
  const auto add = [&](const std::string& metric, int color, bool right) {
    for (const TrainingRun& each : training.runs) {
      const Metric* const found = each.find(metric);
      if (!found || !any_value(found->values)) continue;
      const Asked of_run{training, each, {}, plain};
      ChartSeries series = series_of(of_run, training.runs.size() > 1 ? each.name : metric, color++, found->values);
      series.dashed = right;
      if (right) series.name = training.runs.size() > 1 ? metric + ", " + each.name : metric;
      if (!right && &each == &run) add_mean(chart, series, {}, kNeutralColor);
      if (right) chart.on_y2.push_back(chart.series.size());
      chart.series.push_back(std::move(series));
    }
  };
  add(name, 0, false);
  if (!second.empty() && second != name && metric_in(training, second)) {
    chart.y2.emplace();
    chart.y2->title = second;
    chart.title += " and " + second;
    add(second, 5, true);
  }
  if (chart.series.empty()) return {empty_chart("metric", name, "This metric has no value in any step")};
  const auto& step = question.training_step;
  if (step && run.index_of(*step)) {
    chart.rules.push_back({static_cast<double>(*step), true, fmt::format("{} {}", run.unit, *step), kNeutralColor});
  }
  chart.table = summary_table(chart, run);
  return {std::move(chart)};
}

std::vector<ChartControl> training_controls(const RunData& data, const ChartSettings& settings) {
  const std::vector<TrainingRun>& runs = data.training->runs;
  if (runs.size() < 2) return {};
  std::vector<ChartControl::Choice> choices = {{"", "the longest"}};
  for (const TrainingRun& run : runs) choices.push_back({run.name, run.name});
  return {choice_control(settings, std::string(kTrainingLog), "log", "Which training log is shown", std::move(choices))};
}

std::vector<ChartControl> metric_controls(const RunData& data, const ChartSettings& settings) {
  std::vector<ChartControl> controls = training_controls(data, settings);
  const TrainingRun& run = run_in_question(*data.training, settings);
  controls.push_back(choice_control(settings, std::string(kMetric), "metric", "The metric that is drawn by step",
                                    metric_choices(*data.training, default_metric(run))));
  controls.push_back(choice_control(settings, std::string(kSecondMetric), "and", "A second metric, with a scale of its own",
                                    metric_choices(*data.training, "nothing")));
  return controls;
}

}  // namespace tv
