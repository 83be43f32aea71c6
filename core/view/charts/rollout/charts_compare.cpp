#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "core/analysis/requests/request_cdf.h"
#include "core/analysis/run/compare.h"
#include "core/base/time.h"
#include "core/view/chart/chart_cell.h"
#include "core/view/charts/rollout/charts_run.h"
#include "core/view/charts/rollout/rollout_chart_parts.h"

namespace tv {
namespace {

constexpr std::size_t kPointsPerSide = 1000;

constexpr std::string_view kCompareNote =
    "The share of requests that took no longer. Intervals: 95 %, percentile bootstrap with 1,000 resamples and a "
    "fixed seed. Distance: Kolmogorov-Smirnov, p asymptotic. Different: p < 0.05 and the 99 % interval of the mean's "
    "or of the median's difference excludes 0; else chance may have done it. Requests are taken as independent; "
    "those of a step share workers, so a difference between two single steps can be real and still say nothing "
    "about what was changed between them. ";
constexpr std::string_view kMatchedNote =
    "Length-matched: equal numbers of requests from each side, with token counts within 10 % of each other, so that "
    "differing lengths do not cause the difference.";

ChartSeries curve(const RequestCdf& cdf, std::string_view name, int color) {
  ChartSeries series;
  series.name = fmt::format("{} ({})", name, count_or_dash(static_cast<std::int64_t>(cdf.seconds.size())));
  series.color = color;
  for (const std::size_t i : cdf.points(kPointsPerSide)) {
    series.x.push_back(cdf.seconds[i]);
    series.y.push_back(100 * cdf.share(i));
    series.targets.push_back(request_target(cdf.requests[i]));
  }
  return series;
}

std::string signed_text(double seconds) { return (seconds < 0 ? "-" : "+") + seconds_text(std::abs(seconds)); }

ChartCell signed_cell(double seconds) { return in_words(signed_text(seconds), seconds_cell(seconds)); }

std::vector<ChartCell> delta_row(std::string name, const Delta& delta) {
  const double percent = delta.a > 0 ? 100 * delta.delta() / delta.a : NAN;
  return {std::move(name),
          signed_cell(delta.delta()),
          signed_cell(delta.interval.low),
          signed_cell(delta.interval.high),
          delta.interval.contains(0) ? "contains 0" : "excludes 0",
          in_words(std::isnan(percent) ? "-" : fmt::format("{:+.1f} %", percent), percent_cell(percent)),
          seconds_cell(delta.a),
          seconds_cell(delta.b)};
}

std::vector<double> lengths_of(const Rollout& rollout, const std::vector<std::uint32_t>& steps) {
  std::vector<double> out;
  for (const std::uint32_t s : steps) out.push_back(to_seconds(rollout.steps[s].extent.length()));
  return out;
}

// Compares whole steps, unless the two sides share a step.
void add_step_time(const Rollout& rollout, const CompareSide& a, const CompareSide& b, ChartTable& table) {
  const auto steps_a = steps_of_requests(rollout, a.requests), steps_b = steps_of_requests(rollout, b.requests);
  std::vector<std::uint32_t> in_both;
  std::ranges::set_intersection(steps_a, steps_b, std::back_inserter(in_both));
  if (!in_both.empty()) return;
  const Comparison steps = compare(lengths_of(rollout, steps_a), lengths_of(rollout, steps_b));
  std::vector<ChartCell> row = delta_row("mean step time", steps.of(DeltaOf::Mean));
  // A single step has no spread, so there is no confidence interval.
  if (std::min(steps_a.size(), steps_b.size()) < 2) {
    row[2] = row[3] = ChartCell("-", NAN, "s");
    row[4] = "-";
  }
  table.rows.push_back(std::move(row));
  table.targets.emplace_back();
}

}  // namespace

Chart compare_chart(const Rollout& rollout, const CompareSides& sides, bool length_matched, bool log_x) {
  const auto& [a, b] = sides;
  const std::string id = length_matched ? "compare_length_matched" : "compare";
  const std::string title =
      fmt::format("Duration of requests, {} against {}{}", b.name, a.name, length_matched ? ", length-matched" : "");
  if (a.requests.empty() || b.requests.empty()) {
    return empty_chart(id, title, fmt::format("No complete request in {}", a.requests.empty() ? a.name : b.name));
  }
  CompareSide used_a = a, used_b = b;
  std::optional<MatchedSets> matched;
  if (length_matched) {
    matched = match_lengths(rollout, a.requests, b.requests);
    used_a.requests = matched->a;
    used_b.requests = matched->b;
    if (matched->strata == 0) return empty_chart(id, title, "No request of one side has a token count similar to one of the other side");
  }
  const RequestCdf cdf_a = request_cdf(rollout, used_a.requests), cdf_b = request_cdf(rollout, used_b.requests);
  const Comparison comparison = compare(cdf_a.seconds, cdf_b.seconds);
  Chart chart;
  chart.id = id;
  chart.title = title;
  chart.note = std::string(kCompareNote) + std::string(length_matched ? kMatchedNote : "");
  set_cdf_axes(chart, log_x);
  chart.series = {curve(cdf_a, a.name, 9), curve(cdf_b, b.name, 0)};

  ChartTable& table = chart.table.emplace();
  table.columns = {{"of durations"}, {"difference", true}, {"95 % from", true}, {"to", true}, {"0"},
                   {"in %", true},   {a.name, true},       {b.name, true}};
  for (std::size_t d = 0; d < kDeltas; ++d) {
    table.rows.push_back(delta_row(std::string(name(static_cast<DeltaOf>(d))), comparison.deltas[d]));
    table.targets.emplace_back();
  }
  if (!length_matched) add_step_time(rollout, a, b, table);

  chart.facts = {{"verdict", std::string(name(comparison.verdict))},
                 {"KS distance", number_cell(comparison.ks_distance, 4)},
                 {"p", in_words(comparison.ks_p < 1e-4 ? "< 0.0001" : decimals(comparison.ks_p, 4),
                                number_cell(comparison.ks_p, 4))}};
  if (matched) {
    const auto used = [](const RequestSet& part, const RequestSet& all) {
      return in_words(fmt::format("{} of {}", count_or_dash(static_cast<std::int64_t>(part.size())),
                                  count_or_dash(static_cast<std::int64_t>(all.size()))),
                      count_cell(part.size()));
    };
    chart.facts.emplace_back("used of " + a.name, used(matched->a, a.requests));
    chart.facts.emplace_back("used of " + b.name, used(matched->b, b.requests));
    chart.facts.emplace_back("length strata", count_cell(matched->strata));
    if (matched->without_tokens > 0) {
      chart.facts.emplace_back("without token counts", count_cell(matched->without_tokens));
    }
  }
  return chart;
}

std::vector<Chart> compare_charts(const Rollout& rollout, const ChartQuestion& question) {
  const ChartSettings& settings = question.settings;
  const CompareSides sides = compare_sides(rollout, question.requests, question.step, settings.text(kCompareA),
                                           settings.text(kCompareB), question.of_selection);
  const bool log_x = logarithmic_durations(settings);
  std::vector<Chart> charts = {compare_chart(rollout, sides, false, log_x), compare_chart(rollout, sides, true, log_x)};
  for (Chart& chart : charts) chart.scope = question.in_area;
  return charts;
}

std::vector<ChartControl> compare_controls(const Rollout& rollout, const ChartSettings& settings) {
  const auto side = [&](std::string_view setting, std::string title, std::string_view otherwise) {
    std::vector<ChartControl::Choice> choices = {{"", std::string(otherwise)},
                                                 {std::string(kSelectedSide), "selected requests"},
                                                 {std::string(kOtherSide), "all others"}};
    for (const auto& [filter, name] : side_choices(rollout)) choices.push_back({filter, name});
    ChartControl control = choice_control(settings, std::string(setting), std::move(title),
                                          "A step, worker or run, or what is selected", std::move(choices));
    control.expressions = true;
    return control;
  };
  const std::size_t runs = rollout.runs.size();
  const std::string_view first = runs > 1 ? std::string_view(rollout.runs.front()) : "all others";
  const std::string_view second = runs > 2    ? "the other runs"
                                  : runs == 2 ? std::string_view(rollout.runs.back())
                                              : "the step looked at";
  return {side(kCompareB, "compare", second), side(kCompareA, "with", first),
          duration_axis_control(settings)};
}

}  // namespace tv
