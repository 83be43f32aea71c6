#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/analysis/requests/request_scatter.h"
#include "core/analysis/rollout/rollout_parts.h"
#include "core/view/chart/chart_cell.h"
#include "core/view/charts/rollout/charts_run.h"
#include "core/view/charts/rollout/rollout_chart_parts.h"

namespace tv {
namespace {

constexpr std::int32_t kMostTurns = 6;  // requests with this many turns or more share a colour

constexpr std::array<int, kTimeShares> kShareColors = {0, 1, 3, 4, 9};  // of the phases in each share

constexpr std::string_view kScatterNote =
    "Each dot is a request, coloured by its turns; the dashed line is the least-squares fit. Pearson's coefficient says how "
    "straight the relation is, Spearman's how monotone (ties share their mean rank). Times of phases are exclusive: they add "
    "up to the duration. ";
constexpr std::string_view kToolShareNote =
    "Exclusive times over the sum of durations, so long requests weigh more. Waiting is time that no event of the log covers, "
    "and the setup before the first turn. Processing is time before and after the engine within turns, parsing and "
    "finalization. ";

ChartAxis axis_of(RequestField field) {
  const RequestFieldInfo& about = info(field);
  ChartAxis axis;
  axis.title = about.unit.empty() ? std::string(about.help) : fmt::format("{} ({})", about.help, about.unit);
  axis.unit = about.unit == "s"          ? ChartUnit::Seconds
              : about.unit == "tokens"   ? ChartUnit::Tokens
              : about.unit == "tokens/s" ? ChartUnit::TokensPerSecond
                                         : ChartUnit::None;
  axis.field = about.name;
  axis.from_zero = true;
  return axis;
}

// Short names for the chart title; the axis titles contain the full names.
std::string_view short_name(RequestField field) {
  switch (field) {
    case RequestField::engine_s: return "Engine time";
    case RequestField::tool_s: return "tool time";
    case RequestField::dur: return "Duration";
    case RequestField::length: return "response length";
    default: return info(field).name;
  }
}

// "tokens" -> "token".
std::string_view singular(std::string_view unit) {
  if (unit.size() > 1 && unit.ends_with('s')) unit.remove_suffix(1);
  return unit;
}

std::string turns_group(std::int32_t turns) {
  if (turns < 0) return "turns not logged";
  return turns >= kMostTurns ? fmt::format("{} turns or more", kMostTurns)
                             : fmt::format("{} {}", turns, turns == 1 ? "turn" : "turns");
}

// A bar of the share chart, and its requests.
struct ShareGroup {
  std::string name;
  RequestSet requests;
  ChartTarget target;
};

Chart share_chart(const Rollout& rollout, const std::vector<ShareGroup>& parts) {
  Chart chart;
  chart.note = kToolShareNote;
  chart.y.title = "share of request time (%)";
  chart.y.unit = ChartUnit::Percent;
  chart.y.least = 0;
  chart.y.most = 100;
  for (std::size_t s = 0; s < kTimeShares; ++s) {
    ChartSeries series;
    series.name = name(static_cast<TimeShare>(s));
    series.mark = ChartSeries::Mark::Bars;
    series.color = kShareColors[s];
    series.hatched = static_cast<TimeShare>(s) == TimeShare::Waiting;
    chart.series.push_back(std::move(series));
  }
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const TimeShares shares = time_shares(rollout, parts[p].requests);
    for (std::size_t s = 0; s < kTimeShares; ++s) {
      chart.series[s].x.push_back(static_cast<double>(p));
      chart.series[s].y.push_back(shares[s] * 100);
      chart.series[s].targets.push_back(parts[p].target);
    }
    chart.x.categories.push_back(parts[p].name);
  }
  return chart;
}

void add_facts(Chart& chart, const TimeShares& shares) {
  for (std::size_t s = 0; s < kTimeShares; ++s) {
    chart.facts.emplace_back(std::string(name(static_cast<TimeShare>(s))), percent_cell(shares[s] * 100));
  }
}

// Ten groups of equal size, by duration; fewer if there are fewer requests.
std::vector<ShareGroup> tenths(const Rollout& rollout, RequestSet requests) {
  std::ranges::stable_sort(requests, {}, [&](RequestIx r) { return rollout.end[r] - rollout.begin[r]; });
  const std::size_t count = std::min<std::size_t>(10, requests.size());
  std::vector<ShareGroup> out;
  for (std::size_t i = 0; i < count; ++i) {
    const auto first = requests.begin() + static_cast<std::ptrdiff_t>(requests.size() * i / count);
    const auto last = requests.begin() + static_cast<std::ptrdiff_t>(requests.size() * (i + 1) / count);
    const double longest = to_seconds(rollout.end[*(last - 1)] - rollout.begin[*(last - 1)]);
    out.push_back({fmt::format("to {}", seconds_text(longest)), RequestSet(first, last), request_target(*(last - 1))});
  }
  return out;
}

std::vector<ShareGroup> by_step(const Rollout& rollout, const RequestSet& requests) {
  std::vector<ShareGroup> out;
  for (std::uint32_t s = 0; s < rollout.steps.size(); ++s) {
    RequestSet of_step = requests_of_step(rollout, requests, s);
    if (of_step.empty()) continue;
    const std::string name = rollout.runs.size() > 1 ? rollout.step_name(s) : std::to_string(rollout.steps[s].step);
    out.push_back({name, std::move(of_step), step_target(s)});
  }
  return out;
}

}  // namespace

Chart scatter_chart(const Rollout& rollout, const RequestSet& requests, RequestField x, RequestField y,
                    const std::string& scope) {
  const std::string id = fmt::format("scatter_{}_{}", info(x).name, info(y).name);
  const std::string title = fmt::format("{} against {}, {}", short_name(y), short_name(x), scope);
  const RequestScatter dots = request_scatter(rollout, requests, x, y);
  if (requests.empty()) return empty_chart(id, title, std::string(kNoRequests));
  if (dots.requests.empty()) {
    return empty_chart(id, title, fmt::format("No request says both {} and {}", info(x).name, info(y).name));
  }
  Chart chart;
  chart.id = id;
  chart.title = title;
  chart.note = kScatterNote;
  chart.x = axis_of(x);
  chart.y = axis_of(y);
  for (std::int32_t turns = -1; turns <= kMostTurns; ++turns) {
    ChartSeries series;
    series.mark = ChartSeries::Mark::Dots;
    series.name = turns_group(turns);
    series.color = turns < 0 ? 9 : turns;
    for (std::size_t i = 0; i < dots.requests.size(); ++i) {
      const std::int32_t of_request = std::max(-1, rollout.turns[dots.requests[i]]);
      if (std::min(of_request, kMostTurns) != turns) continue;
      series.x.push_back(dots.x[i]);
      series.y.push_back(dots.y[i]);
      series.targets.push_back(request_target(dots.requests[i]));
    }
    if (!series.x.empty()) chart.series.push_back(std::move(series));
  }
  const Correlation& c = dots.correlation;
  if (!std::isnan(c.slope)) {
    const auto [least, most] = std::ranges::minmax(dots.x);
    ChartSeries line;
    line.name = "least squares";
    line.color = kNeutralColor;
    line.dashed = true;
    line.x = {least, most};
    line.y = {c.intercept + c.slope * least, c.intercept + c.slope * most};
    chart.series.push_back(std::move(line));
  }
  chart.facts = {{"n", count_cell(c.n)},
                 {"Pearson", number_cell(c.pearson, 3)},
                 {"Spearman", number_cell(c.spearman, 3)},
                 {"slope", in_words(std::isnan(c.slope)
                                        ? "-"
                                        : fmt::format("{:.4g} {} per {}", c.slope, info(y).unit, singular(info(x).unit)),
                                    number_cell(c.slope, 4))}};
  if (dots.left_out > 0) chart.facts.emplace_back("not logged", count_cell(dots.left_out));
  return chart;
}

std::vector<Chart> scatter_charts(const Rollout& rollout, const ChartQuestion& question) {
  const RequestSet requests = requests_in_question(rollout, question);
  const std::string scope = scope_text(rollout, question, requests.size());
  std::vector<Chart> charts;
  charts.push_back(scatter_chart(rollout, requests, RequestField::tool_s, RequestField::engine_s, scope));
  charts.push_back(scatter_chart(rollout, requests, RequestField::length, RequestField::dur, scope));
  for (Chart& chart : charts) chart.within = scope_filter(rollout, question);
  if (requests.empty()) return charts;

  Chart& slow = charts.emplace_back(share_chart(rollout, tenths(rollout, requests)));
  slow.id = "time_shares";
  slow.title = "Where the time of requests goes, from the shortest to the longest tenth, " + scope;
  slow.note += "Requests are sorted by duration and divided into ten groups of equal size.";
  slow.x.title = "requests by duration";
  add_facts(slow, time_shares(rollout, requests));

  const std::vector<ShareGroup> parts = by_step(rollout, requests);
  if (parts.size() < 2) return charts;
  Chart& steps = charts.emplace_back(share_chart(rollout, parts));
  steps.id = "time_shares_by_step";
  steps.title = "Where the time of requests goes by step, " + scope;
  steps.x.title = "step";
  steps.x.unit = ChartUnit::Count;
  return charts;
}

}  // namespace tv
