#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/analysis/requests/request_cdf.h"
#include "core/analysis/statistics/histogram.h"
#include "core/view/chart/chart_cell.h"
#include "core/view/chart/histogram_table.h"
#include "core/view/charts/rollout/charts_requests.h"
#include "core/view/charts/rollout/rollout_chart_parts.h"

namespace tv {
namespace {

constexpr std::size_t kPoints = 2000, kPointsOverlaid = 300;
constexpr std::size_t kNamed = 10;  // if there are more curves, only that of the subject has a name

constexpr std::string_view kCdfNote =
    "The share of requests that took no longer: i / n at the i-th shortest of n, joined by straight lines. Quantiles "
    "interpolate linearly between ranks, as in numpy; std is that of the population. verl's scripts have the same numbers: "
    "cdf_per_step.py for a step, req_analysis_and_cdf.py for one worker's file.";

constexpr std::string_view kHistogramNote =
    "Requests by duration. Bins have equal widths or, on a logarithmic axis, equal ratios. A duration on an edge counts in "
    "the bin above it, the longest in the last bin.";
constexpr std::string_view kHistogramBins = "histogram_bins";
constexpr double kDefaultBins = 50;

ChartSeries curve(const RequestCdf& cdf, std::size_t points) {
  ChartSeries series;
  for (const std::size_t i : cdf.points(points)) {
    series.x.push_back(cdf.seconds[i]);
    series.y.push_back(cdf.share(i) * 100);
    series.targets.push_back(request_target(cdf.requests[i]));
  }
  return series;
}

Chart one_curve(const Rollout& rollout, const ChartQuestion& question, const RequestSet& requests) {
  const std::string title = "Duration of requests, " + scope_text(rollout, question, requests.size());
  const RequestCdf cdf = request_cdf(rollout, requests);
  if (cdf.seconds.empty()) return empty_chart("request_cdf", title, std::string(kNoRequests));
  Chart chart;
  chart.id = "request_cdf";
  chart.within = scope_filter(rollout, question);
  chart.title = title;
  chart.note = kCdfNote;
  set_cdf_axes(chart, logarithmic_durations(question.settings));
  if (requests.size() < question.requests.size()) {
    chart.series.push_back(curve(request_cdf(rollout, question.requests), kPointsOverlaid));
    chart.series.back().name = question.requests.size() == rollout.size() ? "all steps" : "all that is selected";
    chart.series.back().color = 9;
    chart.series.back().faint = true;
  }
  chart.series.push_back(curve(cdf, kPoints));
  if (chart.series.size() > 1) chart.series.back().name = scope_text(rollout, question, requests.size());
  for (std::size_t q = 0; q < kCdfQuantiles.size(); ++q) {
    const double at = cdf.summary.quantiles[q];
    chart.rules.push_back(
        {at, true, fmt::format("P{:.3g} {}", kCdfQuantiles[q] * 100, seconds_text(at)), static_cast<int>(q + 1)});
  }
  chart.facts = summary_facts(cdf.summary);
  // Measures the tail: if durations were spread evenly from 0 to the longest, this would be 80 %.
  const double part = cdf.summary.quantiles[1] / cdf.summary.max * 100;
  chart.facts.emplace_back("80 % are done after",
                           in_words(percent_text(part) + " of the longest", percent_cell(part)));
  return chart;
}

Chart duration_histogram(const Rollout& rollout, const ChartQuestion& question, const RequestSet& requests) {
  const std::string title = "Requests by duration, " + scope_text(rollout, question, requests.size());
  const bool log = logarithmic_durations(question.settings);
  const auto bins = static_cast<std::size_t>(std::clamp(question.settings.number(kHistogramBins, kDefaultBins), 1.0, 1000.0));
  const RequestCdf cdf = request_cdf(rollout, requests);
  const Histogram made = histogram(cdf.seconds, bins, log);
  if (made.count.empty()) return empty_chart("request_histogram", title, std::string(kNoRequests));
  Chart chart;
  chart.id = "request_histogram";
  chart.within = scope_filter(rollout, question);
  chart.title = title;
  chart.note = kHistogramNote;
  chart.x = duration_axis(log);
  chart.y.title = "requests";
  chart.y.unit = ChartUnit::Count;
  chart.y.from_zero = true;
  ChartSeries fill, outline;
  fill.mark = ChartSeries::Mark::Span;
  for (std::size_t b = 0; b < made.count.size(); ++b) {
    const auto count = static_cast<double>(made.count[b]);
    for (const double edge : {made.edges[b], made.edges[b + 1]}) {
      fill.x.push_back(edge);
      fill.y.insert(fill.y.end(), {0, count});
      const bool repeats = !outline.x.empty() && outline.x.back() == edge && outline.y.back() == count;
      if (repeats) continue;
      outline.x.push_back(edge);
      outline.y.push_back(count);
    }
  }
  chart.series = {std::move(fill), std::move(outline)};
  chart.numbers = histogram_table(made.edges, {{chart.y.title, made.count}});
  if (made.not_positive > 0) chart.facts.emplace_back("no duration", count_cell(made.not_positive));
  return chart;
}

Chart overlaid(const Rollout& rollout, const ChartQuestion& question, CdfGroups groups) {
  const bool steps = groups == CdfGroups::Steps;
  const std::string id = steps ? "request_cdf_by_step" : "request_cdf_by_worker";
  ChartQuestion scope = question;  // without the chosen group, whose curve is drawn among the others
  (steps ? scope.step : scope.worker).reset();
  const RequestSet requests = requests_in_question(rollout, scope);
  const std::string title = fmt::format("Duration of requests by {}, {}", steps ? "step" : "worker",
                                        scope_text(rollout, scope, requests.size()));
  const std::vector<RequestCdf> cdfs = request_cdfs(rollout, requests, groups);
  if (cdfs.empty()) return empty_chart(id, title, std::string(kNoRequests));
  Chart chart;
  chart.id = id;
  chart.within = scope_filter(rollout, scope);
  chart.title = title;
  chart.note = kCdfNote;
  set_cdf_axes(chart, logarithmic_durations(question.settings));
  chart.table.emplace();
  chart.table->columns = {{steps ? "step" : "worker", false}, {"n", true}, {"mean", true}};
  for (const double q : kCdfQuantiles) chart.table->columns.push_back({fmt::format("P{:.3g}", q * 100), true});
  chart.table->columns.push_back({"max", true});

  const auto chosen = steps ? question.step : question.worker;
  const bool chosen_is_there = chosen && std::ranges::find(cdfs, *chosen, &RequestCdf::group) != cdfs.end();
  const auto slowest =
      std::ranges::max_element(cdfs, {}, [](const RequestCdf& cdf) { return cdf.summary.quantiles[3]; });
  const std::uint32_t subject = chosen_is_there ? *chosen : slowest->group;
  for (const RequestCdf& cdf : cdfs) {
    const bool is_subject = cdf.group == subject;
    const std::string name =
        steps ? rollout.step_name(cdf.group) : fmt::format("worker {}", rollout.workers[cdf.group]);
    ChartSeries series = curve(cdf, kPointsOverlaid);
    series.color = static_cast<int>(cdf.group);
    series.faint = !is_subject && (cdfs.size() > kNamed || chosen_is_there);
    if (is_subject || cdfs.size() <= kNamed) series.name = name;
    chart.series.push_back(std::move(series));

    std::vector<ChartCell> row = {name, count_cell(cdf.summary.n), seconds_cell(cdf.summary.mean)};
    for (const double quantile : cdf.summary.quantiles) row.push_back(seconds_cell(quantile));
    row.push_back(seconds_cell(cdf.summary.max));
    chart.table->rows.push_back(std::move(row));
    chart.table->targets.push_back(steps ? step_target(cdf.group) : ChartTarget());
  }
  // The last curve is drawn on top. If all curves have names, the legend keeps their order.
  const auto on_top = chart.series.begin() + (std::ranges::find(cdfs, subject, &RequestCdf::group) - cdfs.begin());
  if (cdfs.size() > kNamed) std::rotate(on_top, on_top + 1, chart.series.end());
  return chart;
}

}  // namespace

std::vector<ChartControl> request_cdf_controls(const Rollout&, const ChartSettings& settings) {
  return {duration_axis_control(settings),
          number_control(settings, std::string(kHistogramBins), "bins", "How many bins the histogram has", kDefaultBins, 5, 200, "")};
}

std::vector<Chart> request_cdf_charts(const Rollout& rollout, const ChartQuestion& question) {
  std::vector<Chart> charts;
  const RequestSet requests = requests_in_question(rollout, question);
  charts.push_back(one_curve(rollout, question, requests));
  charts.push_back(duration_histogram(rollout, question, requests));
  charts.push_back(overlaid(rollout, question, CdfGroups::Steps));
  charts.push_back(overlaid(rollout, question, CdfGroups::Workers));
  return charts;
}

}  // namespace tv
