// Compares two training logs: for each metric of both, the difference, and whether it may be chance.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/analysis/run/compare.h"
#include "core/base/text/count_text.h"
#include "core/base/text/utf8.h"
#include "core/view/chart/chart_cell.h"
#include "core/view/charts/charts_differences.h"
#include "core/view/charts/training/charts_training.h"

namespace tv {
namespace {

constexpr std::string_view kLogsNote =
    "Means over the steps of each log. Intervals of the difference: 95 %, percentile bootstrap with 1,000 resamples and a fixed seed. "
    "Different: Kolmogorov-Smirnov p < 0.05, and the 99 % interval of the difference of the means or of the medians excludes 0. "
    "Otherwise the difference may be chance. Steps are assumed to be independent: if a metric drifts in both logs and one log is "
    "longer, the metric can be called different for that reason alone.";

const TrainingRun& log_named(const Training& training, std::string_view log, std::size_t default_run) {
  const auto named = std::ranges::find(training.runs, log, [](const TrainingRun& run) { return std::string_view(run.name); });
  return named == training.runs.end() ? training.runs[std::min(default_run, training.runs.size() - 1)] : *named;
}

ChartCell metric_cell(double value, bool with_sign = false) {
  if (std::isnan(value)) return ChartCell("-", value);
  return ChartCell(with_sign ? fmt::format("{:+.4g}", value) : fmt::format("{:.6g}", value), value);
}

}  // namespace

std::vector<Chart> training_difference_charts(const RunData& data, const ChartQuestion& question) {
  const Training& training = *data.training;
  if (training.runs.size() < 2) {
    return {empty_chart("log_differences", "Logs compared", "There is only one training log: open another to compare them")};
  }
  const TrainingRun& a = log_named(training, question.settings.text(kLogA), 0);
  const TrainingRun& b = log_named(training, question.settings.text(kLogB), 1);
  Chart chart;
  chart.id = "log_differences";
  chart.note = kLogsNote;
  constexpr std::size_t kLettersOfLog = 20;
  const std::string name_a = shortened_utf8(a.name, kLettersOfLog), name_b = shortened_utf8(b.name, kLettersOfLog);
  ChartTable& table = chart.table.emplace();
  table.columns = {{"metric"},       {"difference", true}, {"in %", true},    {"95 % from", true}, {"to", true},
                   {"verdict"},      {"p", true},          {name_b, true},    {name_a, true},      {"n, " + name_b, true},
                   {"n, " + name_a, true}};
  std::size_t different = 0, in_one_log = 0;
  for (const Metric& of_b : b.metrics) {
    const Metric* const of_a = a.find(of_b.name);
    if (!of_a) {
      ++in_one_log;
      continue;
    }
    const Comparison comparison = compare(of_a->values, of_b.values);
    if (comparison.a.empty() || comparison.b.empty()) continue;
    const Delta& mean = comparison.of(DeltaOf::Mean);
    different += comparison.verdict == Verdict::Different ? 1 : 0;
    const double percent = mean.a != 0 ? 100 * mean.delta() / std::abs(mean.a) : NAN;
    table.rows.push_back({of_b.name, metric_cell(mean.delta(), true),
                          in_words(std::isnan(percent) ? "-" : fmt::format("{:+.1f} %", percent), percent_cell(percent)),
                          metric_cell(mean.interval.low, true), metric_cell(mean.interval.high, true), std::string(name(comparison.verdict)),
                          number_cell(comparison.ks_p, 4), metric_cell(mean.b), metric_cell(mean.a), count_cell(comparison.b.size()),
                          count_cell(comparison.a.size())});
    table.targets.push_back({ChartTarget::Kind::Setting, static_cast<std::uint32_t>(chart.settings.size())});
    chart.settings.emplace_back(kMetric, of_b.name);
  }
  for (const Metric& of_a : a.metrics) in_one_log += b.find(of_a.name) ? 0 : 1;
  chart.title = fmt::format("{} against {}: {} in both, {} different, {} only in one", b.name, a.name,
                            count_text(table.rows.size(), "metric"), different, in_one_log);
  if (table.rows.empty()) chart.empty = "The two logs have no metric in common";
  return {std::move(chart)};
}

std::vector<ChartControl> training_difference_controls(const RunData& data, const ChartSettings& settings) {
  const std::vector<TrainingRun>& runs = data.training->runs;
  const auto side = [&](std::string_view setting, const char* title, std::size_t default_run) {
    const std::string default_name = default_run < runs.size() ? runs[default_run].name : "nothing";
    std::vector<ChartControl::Choice> choices = {{"", default_name}};
    for (const TrainingRun& run : runs) choices.push_back({run.name, run.name});
    return choice_control(settings, std::string(setting), title, "A training log", std::move(choices));
  };
  return {side(kLogB, "compare", 1), side(kLogA, "with", 0)};
}

}  // namespace tv
