#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/analysis/rollout/step_overview.h"
#include "core/analysis/rollout/worker_phases.h"
#include "core/analysis/scripts/event_share.h"
#include "core/analysis/scripts/script_overview.h"
#include "core/base/text/count_text.h"
#include "core/view/chart/chart_cell.h"
#include "core/view/charts/rollout/charts_requests.h"
#include "core/view/charts/rollout/rollout_chart_parts.h"

namespace tv {
namespace {

enum : int { kRolloutColor = 5, kIntervalColor = 0, kTrainingColor = 2, kOutstandingColor = 1 };

constexpr std::string_view kOverviewNote =
    "Rollout: the longest total_step_duration of the step's workers. Interval: from the step's first begin to that of the "
    "next step of the same run; none if a step is missing in between. Training: interval - rollout. A step stands out if it "
    "exceeds the median of its run by more than 3 median absolute deviations and by more than a tenth; the reason is the "
    "worker and event that most exceed what is usual. verl's overview_duration.py takes the begin of the first line for that "
    "of the step, bridges missing steps and restarts, and calls anything 2 standard deviations above or below the mean an "
    "outlier.";

ChartSeries per_step(std::string name, int color, const StepAxis& axis) {
  ChartSeries series;
  series.name = std::move(name);
  series.mark = ChartSeries::Mark::LineAndDots;
  series.color = color;
  series.x = axis.x;
  for (std::uint32_t s = 0; s < axis.x.size(); ++s) series.targets.push_back(step_target(s));
  return series;
}

void set_axes(Chart& chart, const StepAxis& axis) {
  chart.x = axis.axis;
  chart.y.title = "time (s)";
  chart.y.unit = ChartUnit::Seconds;
  chart.y.from_zero = true;
}

// Adds only the mean of a single value, and nothing if there is none.
void add_summary(Chart& chart, const std::string& what, const Summary& summary) {
  if (summary.n == 0) return;
  chart.facts.emplace_back(what + " mean", seconds_cell(summary.mean));
  if (summary.n == 1) return;
  chart.facts.emplace_back(what + " std", seconds_cell(summary.std));
  chart.facts.emplace_back(what + " min", seconds_cell(summary.min));
  chart.facts.emplace_back(what + " max", seconds_cell(summary.max));
}

void add_facts(Chart& chart, const StepOverview& overview) {
  add_summary(chart, "rollout", overview.rollout);
  add_summary(chart, "interval", overview.interval);
  // The last step has no interval and is left out, so these need not follow from the means above.
  if (!std::isnan(overview.gap)) chart.facts.emplace_back("mean interval - rollout, same steps", seconds_cell(overview.gap));
  if (!std::isnan(overview.ratio)) chart.facts.emplace_back("mean interval / rollout, same steps", number_cell(overview.ratio, 2));
}

void add_facts(Chart& chart, const ScriptOverview& overview) {
  add_summary(chart, "rollout", overview.rollout);
  add_summary(chart, "interval", overview.interval);
  if (std::isnan(overview.gap)) return;
  chart.facts.emplace_back("gap", seconds_cell(overview.gap));
  chart.facts.emplace_back("ratio", number_cell(overview.ratio, 2));
  chart.facts.emplace_back("indicates", overview.gap > 0 ? "coordination overhead" : "parallel processing");
}

Chart step_overview_chart(const Rollout& rollout) {
  const StepAxis axis = step_axis(rollout);
  const StepOverview overview = step_overview(rollout);
  Chart chart;
  set_axes(chart, axis);
  ChartSeries took = per_step("rollout (longest worker)", kRolloutColor, axis);
  ChartSeries interval = per_step("start to start of the next step", kIntervalColor, axis);
  ChartSeries training = per_step("between rollouts: training", kTrainingColor, axis);
  training.dashed = true;
  ChartSeries stands_out;
  stands_out.name = "stands out";
  stands_out.mark = ChartSeries::Mark::Dots;
  stands_out.color = kOutstandingColor;
  chart.table.emplace();
  chart.table->columns = {{"step", false}, {"stands out", false}, {"took", true}, {"x median", true}, {"why", false}};
  const auto add = [&](std::uint32_t s, const char* what, double seconds, const StandsOut& about) {
    stands_out.x.push_back(axis.x[s]);
    stands_out.y.push_back(seconds);
    stands_out.targets.push_back(step_target(s));
    stands_out.labels.push_back(fmt::format("{:.1f} x", about.factor));
    const std::string why = about.reason ? text_of(rollout, *about.reason) : std::string("not logged");
    chart.table->rows.push_back(
        {rollout.step_name(s), what, seconds_cell(seconds), number_cell(about.factor, 2), why});
    chart.table->targets.push_back(step_target(s));
  };
  for (std::uint32_t s = 0; s < overview.steps.size(); ++s) {
    const StepDurations& step = overview.steps[s];
    took.y.push_back(step.rollout);
    interval.y.push_back(step.interval);
    training.y.push_back(step.training);
    if (step.slow_rollout) add(s, "rollout", step.rollout, *step.slow_rollout);
    if (step.slow_training) add(s, "training", step.training, *step.slow_training);
  }
  chart.time.emplace();
  for (std::uint32_t s = 0; s < axis.x.size(); ++s) chart.time->stretches.push_back({axis.x[s], rollout.steps[s].extent});
  chart.series = {std::move(took), std::move(interval), std::move(training)};
  if (!stands_out.x.empty()) chart.series.push_back(std::move(stands_out));
  if (chart.table->rows.empty()) chart.table.reset();
  add_facts(chart, overview);
  return chart;
}

Chart script_chart(const Rollout& rollout) {
  const ScriptOverview overview = script_overview(rollout);
  Chart chart;
  ChartAxis steps;
  steps.title = "step";
  steps.unit = ChartUnit::Count;
  steps.field = "step";
  set_axes(chart, {steps, {}});
  const auto series = [&](std::string name, int color, const std::vector<std::int32_t>& numbers,
                          const std::vector<double>& seconds, const std::vector<std::size_t>& outliers) {
    ChartSeries out;
    out.name = std::move(name);
    out.mark = ChartSeries::Mark::LineAndDots;
    out.color = color;
    out.labels.resize(seconds.size());
    for (std::size_t i = 0; i < seconds.size(); ++i) {
      out.x.push_back(numbers[i]);
      out.y.push_back(seconds[i]);
      const auto step = step_of_number(rollout, numbers[i]);
      out.targets.push_back(step ? step_target(*step) : ChartTarget());
    }
    for (const std::size_t i : outliers) out.labels[i] = fmt::format("{:.1f}", seconds[i]);
    return out;
  };
  chart.series = {series("step internal duration (max across workers)", kRolloutColor, overview.steps,
                         overview.rollouts, overview.slow_rollouts),
                  series("start to start of the next step", kIntervalColor, overview.start_steps, overview.intervals,
                         overview.slow_intervals)};
  std::erase_if(chart.series, [](const ChartSeries& each) { return each.x.empty(); });
  add_facts(chart, overview);
  return chart;
}

constexpr double kWritten = 1;  // per cent; the chart has no numbers for smaller shares

constexpr std::string_view kEventShareNote =
    "Each event's share of a worker's total_step_duration, averaged over the workers. Time in no event is drawn too, so the "
    "shares add up to 100 %. Means are over steps. verl's event_persentage_step.py divides the mean of all lines of an event "
    "by the mean of all totals, for three events.";

Chart event_share_chart(const Rollout& rollout) {
  const StepAxis axis = step_axis(rollout);
  const EventShares shares = event_shares(rollout);
  Chart chart;
  chart.x = axis.axis;
  const auto bars = [&](std::string name, int color, const std::vector<double>& percent) {
    ChartSeries series = per_step(std::move(name), color, axis);
    series.mark = ChartSeries::Mark::Bars;
    series.y = percent;
    return series;
  };
  for (std::size_t e = 0; e < shares.events.size(); ++e) {
    chart.series.push_back(bars(event_title(shares.events[e]), event_color(shares.events[e]), shares.percent[e]));
    chart.series.back().hatched = shares.events[e] == kBarrierWait;
  }
  if (!shares.events.empty()) {
    chart.series.push_back(bars("in no event", 9, shares.unaccounted));
    chart.series.back().faint = true;
  }
  for (ChartSeries& series : chart.series) {
    for (const double percent : series.y) series.labels.push_back(percent >= kWritten ? percent_text(percent) : "");
    const double mean = summarize(series.y).mean;
    if (rollout.steps.size() > 1 && mean >= kWritten) chart.facts.emplace_back("mean " + series.name, percent_cell(mean));
  }
  return chart;
}

Chart script_shares_chart(const Rollout& rollout) {
  const std::vector<ScriptShares> steps = script_shares(rollout.log(), script_files(rollout.log()));
  Chart chart;
  chart.x.title = "step";
  chart.x.unit = ChartUnit::Count;
  chart.x.field = "step";
  for (const std::string_view event : {kGenerate, kPreprocessing, kBarrierWait}) {
    ChartSeries series;
    series.name = event_title(event);
    series.mark = ChartSeries::Mark::LineAndDots;
    series.color = event_color(event);
    for (const ScriptShares& step : steps) {
      const auto percent = step.percent.find(event);
      if (percent == step.percent.end()) continue;
      series.x.push_back(step.step);
      series.y.push_back(percent->second);
      const auto target = step_of_number(rollout, step.step);
      series.targets.push_back(target ? step_target(*target) : ChartTarget());
    }
    if (!series.x.empty()) chart.series.push_back(std::move(series));
  }
  return chart;
}

bool has_values(const Chart& chart) {
  return std::ranges::any_of(chart.series, [](const ChartSeries& series) {
    return std::ranges::any_of(series.y, [](double y) { return !std::isnan(y); });
  });
}

}  // namespace

std::vector<Chart> step_overview_charts(const Rollout& rollout, const ChartQuestion& question) {
  Chart chart = question.as_script ? script_chart(rollout) : step_overview_chart(rollout);
  chart.id = "step_overview";
  chart.title =
      fmt::format("Rollout and the time between rollouts, {}{}", count_text(rollout.steps.size(), "step"), question.as_script ? ", as verl's script" : "");
  chart.note = kOverviewNote;
  if (!has_values(chart)) return {empty_chart(chart.id, chart.title, "No total_step_duration is logged")};
  if (question.step && *question.step < rollout.steps.size()) {
    const double at = question.as_script ? rollout.steps[*question.step].step : step_axis(rollout).x[*question.step];
    chart.rules.push_back({at, true, rollout.step_name(*question.step), kNeutralColor});
  }
  return {std::move(chart)};
}

std::vector<Chart> event_share_charts(const Rollout& rollout, const ChartQuestion& question) {
  Chart chart = question.as_script ? script_shares_chart(rollout) : event_share_chart(rollout);
  chart.id = "event_share";
  chart.title = fmt::format("Share of each event in a step, mean of {} {}{}", rollout.workers.size(),
                            rollout.workers.size() == 1 ? "worker" : "workers",
                            question.as_script ? ", as verl's script" : "");
  chart.note = kEventShareNote;
  chart.y.title = "share of total_step_duration (%)";
  chart.y.unit = ChartUnit::Percent;
  chart.y.least = 0;
  if (!has_values(chart)) return {empty_chart(chart.id, chart.title, "No total_step_duration is logged")};
  return {std::move(chart)};
}

}  // namespace tv
