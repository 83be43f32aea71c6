#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/analysis/filter/request_filter.h"
#include "core/analysis/scripts/turn_cost.h"
#include "core/analysis/scripts/turn_distribution.h"
#include "core/view/chart/chart_cell.h"
#include "core/view/charts/rollout/charts_requests.h"
#include "core/view/charts/rollout/rollout_chart_parts.h"

namespace tv {
namespace {

constexpr double kStalled = 8;  // the axis is logarithmic if a call exceeds this multiple of the highest third quartile

constexpr std::string_view kCostNote =
    "From turn_timings of the complete requests, by turn of the assistant, counted from 0. In means of tool parsing, a turn "
    "without a parsed tool call counts as 0. verl's turn_difference.py has only the means, over steps 1 to 80.";
constexpr std::string_view kBoxNote =
    " Boxes show least, 25 %, median, 75 % and most of the engine call; the line is its mean. The axis is logarithmic if some "
    "calls took many times as long as others.";
constexpr std::string_view kSpeedNote = " Tokens per second: all tokens of the turn by all its engine seconds.";

constexpr std::string_view kDistributionNote =
    "Requests by their number of turns; requests without a logged number are left out. A gap in a line is a step without such "
    "requests. verl's turn_distribution.py has the same counts and means, for all requests of a step's folder.";

/// Adds a filter that selects the requests that reached the turn.
ChartTarget reached(Chart& chart, std::int32_t turn) {
  return filter_target(chart, fmt::format("turns>={}", turn + 1));
}

Chart cost_chart(std::string id, std::string title, const char* y_title, ChartUnit unit) {
  Chart chart;
  chart.id = std::move(id);
  chart.title = std::move(title);
  chart.note = kCostNote;
  chart.x.title = "turn of the assistant";
  chart.x.unit = ChartUnit::Count;
  chart.y.title = y_title;
  chart.y.unit = unit;
  chart.y.from_zero = true;
  return chart;
}

ChartTable cost_table(const std::vector<TurnCost>& costs) {
  ChartTable table;
  table.columns = {{"turn", true},        {"requests", true},     {"engine call", true}, {"tokens", true}, {"tokens/s", true},
                   {"pre-process", true}, {"post-process", true}, {"tool parsing", true}};
  for (const TurnCost& cost : costs) {
    table.rows.push_back({fmt::format("{}", cost.turn), fmt::format("{}", cost.n), seconds_cell(cost.engine_call),
                          number_cell(cost.tokens, 1), number_cell(cost.tokens_per_second, 1),
                          seconds_cell(cost.pre_process), seconds_cell(cost.post_process),
                          seconds_cell(cost.tool_parsing)});
  }
  return table;
}

Chart engine_boxes(const std::vector<TurnCost>& costs, std::string title) {
  Chart chart = cost_chart("turn_cost", std::move(title), "engine call (s)", ChartUnit::Seconds);
  chart.note += kBoxNote;
  ChartSeries boxes, means;
  double shortest = 1e300, longest = 0, usual = 0;
  boxes.name = "engine call";
  boxes.mark = ChartSeries::Mark::Boxes;
  boxes.color = phase_color(RequestPhase::Engine);
  means.name = "mean";
  means.mark = ChartSeries::Mark::LineAndDots;
  means.color = 1;
  for (const TurnCost& cost : costs) {
    boxes.x.push_back(cost.turn);
    boxes.y.insert(boxes.y.end(), cost.engine_box.begin(), cost.engine_box.end());
    boxes.targets.push_back(reached(chart, cost.turn));
    boxes.labels.push_back(fmt::format("n {}", cost.n));
    means.x.push_back(cost.turn);
    means.y.push_back(cost.engine_call);
    means.targets.push_back(boxes.targets.back());
    shortest = std::min(shortest, cost.engine_box.front());
    longest = std::max(longest, cost.engine_box.back());
    usual = std::max(usual, cost.engine_box[3]);
  }
  // One stalled call would flatten all boxes.
  chart.y.log = shortest > 0 && longest > kStalled * usual;
  chart.series = {std::move(boxes), std::move(means)};
  chart.table = cost_table(costs);
  for (ChartTarget target : chart.series.front().targets) chart.table->targets.push_back(target);
  return chart;
}

Chart overheads(const std::vector<TurnCost>& costs, std::string title) {
  Chart chart = cost_chart("turn_overhead", std::move(title), "mean time around the engine (s)", ChartUnit::Seconds);
  const auto add = [&](const char* of, int color, double TurnCost::* seconds) {
    ChartSeries series;
    series.name = of;
    series.mark = ChartSeries::Mark::Bars;
    series.color = color;
    for (std::size_t t = 0; t < costs.size(); ++t) {
      if (chart.filters.size() <= t) reached(chart, costs[t].turn);  // all series share the filters
      series.x.push_back(costs[t].turn);
      series.y.push_back(costs[t].*seconds);
      series.targets.push_back({ChartTarget::Kind::Filter, static_cast<std::uint32_t>(t)});
    }
    chart.series.push_back(std::move(series));
  };
  chart.side_by_side = true;  // tool parsing lies within post-processing
  add("pre-process", 4, &TurnCost::pre_process);
  add("post-process", 2, &TurnCost::post_process);
  add("tool parsing, within it", 1, &TurnCost::tool_parsing);
  return chart;
}

Chart speeds(const std::vector<TurnCost>& costs, std::string title) {
  Chart chart = cost_chart("turn_speed", std::move(title), "generated tokens per second", ChartUnit::TokensPerSecond);
  chart.note += kSpeedNote;
  ChartSeries series;
  series.mark = ChartSeries::Mark::LineAndDots;
  series.color = phase_color(RequestPhase::Engine);
  for (const TurnCost& cost : costs) {
    series.x.push_back(cost.turn);
    series.y.push_back(cost.tokens_per_second);
    series.labels.push_back(decimals(cost.tokens_per_second, 0));
    series.targets.push_back(reached(chart, cost.turn));
  }
  if (std::ranges::all_of(series.y, [](double y) { return std::isnan(y); })) {
    return empty_chart(chart.id, chart.title, "The logs do not say how many tokens a turn generated");
  }
  chart.series.push_back(std::move(series));
  return chart;
}

Chart script_engine(const std::vector<TurnCost>& costs, std::string title) {
  Chart chart = cost_chart("turn_cost", std::move(title), "mean engine call (s)", ChartUnit::Seconds);
  ChartSeries bars;
  bars.mark = ChartSeries::Mark::Bars;
  bars.color = phase_color(RequestPhase::Engine);
  for (const TurnCost& cost : costs) {
    bars.x.push_back(cost.turn);
    bars.y.push_back(cost.engine_call);
    bars.labels.push_back(fmt::format("{:.2f}", cost.engine_call));
    bars.targets.push_back(reached(chart, cost.turn));
  }
  chart.series.push_back(std::move(bars));
  chart.table = cost_table(costs);
  return chart;
}

int turns_color(std::int32_t turns) { return turns; }
std::string turns_name(std::int32_t turns) { return fmt::format("{} {}", turns, turns == 1 ? "turn" : "turns"); }

/// Adds a filter that selects the requests of a step with this number of turns.
ChartTarget cell(Chart& chart, const Rollout& rollout, std::uint32_t step, std::int32_t turns) {
  return filter_target(chart, fmt::format("{} && turns=={}", step_filter(rollout, step), turns));
}

Chart counts_by_step(const Rollout& rollout, const TurnDistribution& turns, const StepAxis& axis, std::string title) {
  Chart chart;
  chart.id = "turn_counts";
  chart.title = std::move(title);
  chart.note = kDistributionNote;
  chart.x = axis.axis;
  chart.y.title = "requests";
  chart.y.unit = ChartUnit::Count;
  chart.y.from_zero = true;
  for (std::size_t t = 0; t < turns.turns.size(); ++t) {
    ChartSeries series;
    series.name = turns_name(turns.turns[t]);
    series.mark = ChartSeries::Mark::Bars;
    series.color = turns_color(turns.turns[t]);
    series.x = axis.x;
    for (std::uint32_t s = 0; s < axis.x.size(); ++s) {
      series.y.push_back(static_cast<double>(turns.count[t][s]));
      series.targets.push_back(cell(chart, rollout, s, turns.turns[t]));
    }
    chart.series.push_back(std::move(series));
  }
  return chart;
}

Chart means_by_step(const Rollout& rollout, const TurnDistribution& turns, const StepAxis& axis, std::string title) {
  Chart chart;
  chart.id = "turn_durations";
  chart.title = std::move(title);
  chart.note = kDistributionNote;
  chart.x = axis.axis;
  chart.y.title = "mean request duration (s)";
  chart.y.unit = ChartUnit::Seconds;
  chart.y.from_zero = true;
  for (std::size_t t = 0; t < turns.turns.size(); ++t) {
    ChartSeries series;
    series.name = turns_name(turns.turns[t]);
    series.mark = ChartSeries::Mark::LineAndDots;
    series.color = turns_color(turns.turns[t]);
    series.x = axis.x;
    series.y = turns.mean_seconds[t];
    for (std::uint32_t s = 0; s < axis.x.size(); ++s) series.targets.push_back(cell(chart, rollout, s, turns.turns[t]));
    chart.series.push_back(std::move(series));
  }
  return chart;
}

Chart histogram(const TurnDistribution& turns, std::string title) {
  Chart chart;
  chart.id = "turn_histogram";
  chart.title = std::move(title);
  chart.note = kDistributionNote;
  chart.x.title = "turns";
  chart.x.unit = ChartUnit::Count;
  chart.x.field = "turns";
  chart.y.title = "requests";
  chart.y.unit = ChartUnit::Count;
  chart.y.from_zero = true;
  ChartSeries bars;
  bars.mark = ChartSeries::Mark::Bars;
  bars.color = 0;
  std::size_t all = 0;
  for (const std::size_t n : turns.total) all += n;
  chart.table.emplace();
  chart.table->columns = {{"turns", true}, {"requests", true}, {"share", true}, {"mean duration", true}};
  for (std::size_t t = 0; t < turns.turns.size(); ++t) {
    chart.filters.push_back(fmt::format("turns=={}", turns.turns[t]));
    const ChartTarget target{ChartTarget::Kind::Filter, static_cast<std::uint32_t>(t)};
    bars.x.push_back(turns.turns[t]);
    bars.y.push_back(static_cast<double>(turns.total[t]));
    bars.targets.push_back(target);
    chart.table->rows.push_back({fmt::format("{}", turns.turns[t]), fmt::format("{}", turns.total[t]),
                                 percent_cell(static_cast<double>(turns.total[t]) / static_cast<double>(all) * 100),
                                 seconds_cell(turns.total_mean_seconds[t])});
    chart.table->targets.push_back(target);
  }
  chart.series.push_back(std::move(bars));
  if (turns.turns_not_logged > 0) chart.facts.emplace_back("turns not logged", count_cell(turns.turns_not_logged));
  return chart;
}

}  // namespace

std::vector<Chart> turn_cost_charts(const Rollout& rollout, const ChartQuestion& question) {
  const RequestSet requests = requests_in_question(rollout, question);
  const std::vector<TurnCost> costs =
      question.as_script ? script_turn_costs(rollout.log()) : turn_costs(rollout, requests);
  const std::string scope = question.as_script ? "steps 1 to 80, as verl's script"
                                               : scope_text(rollout, question, requests.size());
  if (costs.empty()) {
    return {empty_chart("turn_cost", "Engine call by turn, " + scope, "No request has timings of its turns")};
  }
  if (question.as_script) return {script_engine(costs, "Mean engine call by turn, " + scope)};
  std::vector<Chart> charts;
  charts.push_back(engine_boxes(costs, "Engine call by turn, " + scope));
  charts.push_back(speeds(costs, "Speed of the engine by turn, " + scope));
  charts.push_back(overheads(costs, "Time around the engine by turn, " + scope));
  return charts;
}

std::vector<Chart> turn_distribution_charts(const Rollout& rollout, const ChartQuestion& question) {
  const RequestSet requests = requests_in_question(rollout, question);
  const std::string scope = scope_text(rollout, question, requests.size());
  const TurnDistribution turns = turn_distribution(rollout, requests);
  if (turns.turns.empty()) {
    const std::string why =
        requests.empty() ? std::string(kNoRequests) : "The logs do not say how many turns requests had";
    return {empty_chart("turn_histogram", "Turns of requests, " + scope, why)};
  }
  // The charts by step show all steps: a single bar would have nothing to compare with.
  ChartQuestion all_steps = question;
  all_steps.step.reset();
  const RequestSet of_all = requests_in_question(rollout, all_steps);
  const std::string scope_of_all = scope_text(rollout, all_steps, of_all.size());
  const TurnDistribution by_step = turn_distribution(rollout, of_all);
  const StepAxis axis = step_axis(rollout);
  std::vector<Chart> charts;
  charts.push_back(counts_by_step(rollout, by_step, axis, "Requests by number of turns in each step, " + scope_of_all));
  charts.push_back(means_by_step(rollout, by_step, axis, "Mean duration by number of turns, " + scope_of_all));
  charts.push_back(histogram(turns, "Turns of requests, " + scope));
  charts.front().within = scope_filter(rollout, all_steps);
  charts.back().within = scope_filter(rollout, question);
  return charts;
}

}  // namespace tv
