#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>

#include "core/base/time.h"
#include "core/view/chart/chart_cell.h"
#include "core/view/charts/rollout/charts_run.h"
#include "core/view/charts/rollout/rollout_chart_parts.h"

namespace tv {
namespace {

constexpr double kTruncateDefault = 95, kTokensDefault = 1000, kDropDefault = 80;  // %, tokens, %
constexpr double kMostTokens = std::numeric_limits<std::int32_t>::max();  // no request has more

// Lists each rule with its assumptions.
std::string note_of(std::span<const WhatIfRule> rules) {
  std::string note;
  for (const WhatIfRule& rule : rules) {
    const std::string text = fmt::format("{}: {}", describe(rule), assumptions(rule.kind));
    note += (note.empty() ? "" : "\n") + text;
  }
  return note;
}

std::string step_text(double seconds, double was) {
  return seconds < was ? fmt::format("{} (-{})", seconds_text(seconds), percent_text(100 * (was - seconds) / was))
                 : seconds_text(seconds);
}

}  // namespace

std::vector<Chart> what_if_charts(const Rollout& rollout, std::span<const WhatIfRule> rules) {
  const std::string title = "What if: step time, replay estimate";
  if (rollout.size() == 0) return {empty_chart("what_if", title, "There are no complete requests")};
  std::vector<WhatIf> replays;
  for (const WhatIfRule& rule : rules) replays.push_back(what_if(rollout, rule));

  std::vector<Chart> charts(2);
  Chart& time = charts[0];
  time.id = "what_if";
  time.title = title;
  time.note = note_of(rules);
  const StepAxis steps = step_axis(rollout);
  time.x = steps.axis;
  time.y.title = "length of the step (s)";
  time.y.unit = ChartUnit::Seconds;
  time.y.from_zero = true;
  ChartSeries& was = time.series.emplace_back();
  was.name = "as it was";
  was.mark = ChartSeries::Mark::LineAndDots;
  was.color = kNeutralColor;
  ChartTable& table = time.table.emplace();
  table.columns = {{"step"}, {"as it was", true}};
  for (std::uint32_t s = 0; s < rollout.steps.size(); ++s) {
    const double seconds = to_seconds(rollout.steps[s].extent.length());
    was.x.push_back(steps.x[s]);
    was.y.push_back(seconds);
    was.targets.push_back(step_target(s));
    table.rows.push_back({rollout.step_name(s), seconds_cell(seconds)});
    table.targets.push_back(step_target(s));
  }

  Chart& saved = charts[1];
  saved.id = "what_if_saved";
  saved.title = "What if: worker time saved in all steps, replay estimate";
  saved.note = time.note;
  saved.x.title = "change";
  saved.y.title = "saved (worker-seconds)";
  saved.y.unit = ChartUnit::Seconds;
  saved.y.from_zero = true;
  ChartSeries bars;
  bars.mark = ChartSeries::Mark::Bars;
  ChartTable& totals = saved.table.emplace();
  totals.columns = {{"change"},
                    {"saved", true},
                    {"saved (s)", true},
                    {"requests touched", true},
                    {"requests", true},
                    {"saved (worker-s)", true},
                    {"all steps after the change (s)", true}};
  for (std::size_t r = 0; r < rules.size(); ++r) {
    const WhatIf& replay = replays[r];
    const std::string name = describe(rules[r]);
    const double percent = replay.seconds > 0 ? 100 * replay.saved / replay.seconds : 0;
    ChartSeries& series = time.series.emplace_back();
    series.name = name;
    series.mark = ChartSeries::Mark::LineAndDots;
    series.color = static_cast<int>(r);
    table.columns.push_back({name, true});
    table.columns.push_back({"touched", true});
    for (const WhatIfStep& step : replay.steps) {
      series.x.push_back(steps.x[step.step]);
      series.y.push_back(step.estimate());
      series.targets.push_back(step_target(step.step));
      table.rows[step.step].push_back(
          in_words(step_text(step.estimate(), step.seconds), seconds_cell(step.estimate())));
      table.rows[step.step].push_back(count_cell(step.touched));
    }
    time.facts.emplace_back(name, in_words(fmt::format("saves {} ({})", seconds_text(replay.saved), percent_text(percent)),
                                           seconds_cell(replay.saved)));
    saved.x.categories.push_back(name);
    bars.x.push_back(static_cast<double>(r));
    bars.y.push_back(replay.worker_seconds);
    bars.labels.push_back(percent_text(percent));
    totals.rows.push_back({name, percent_cell(percent), number_cell(replay.saved, 2), count_cell(replay.touched),
                           count_cell(replay.requests), number_cell(replay.worker_seconds, 2),
                           number_cell(replay.seconds - replay.saved, 2)});
    totals.targets.emplace_back();
  }
  saved.series.push_back(std::move(bars));
  return charts;
}

std::vector<WhatIfRule> what_if_rules(const ChartSettings& settings) {
  using Kind = WhatIfRule::Kind;
  return {{Kind::TruncateDuration, settings.number(kTruncateAt, kTruncateDefault) / 100},
          {Kind::TruncateTokens, std::min(settings.number(kTokensAt, kTokensDefault), kMostTokens)},
          {Kind::DropLate, settings.number(kDropAfter, kDropDefault) / 100},
          {Kind::Rebalance}};
}

std::vector<ChartControl> what_if_controls(const Rollout& rollout, const ChartSettings& settings) {
  std::int32_t most = 0;
  for (const std::int32_t tokens : rollout.tokens) most = std::max(most, tokens);
  ChartControl tokens = number_control(settings, std::string(kTokensAt), "at most", "How many tokens the model may generate per request",
                                       kTokensDefault, 1, std::max<double>(most, kTokensDefault), "tokens");
  tokens.logarithmic = true;
  ChartControl truncate = number_control(settings, std::string(kTruncateAt), "truncate at P",
                                         "Stops every request at this percentile of its step's durations",
                                         kTruncateDefault, 1, 100, "");
  truncate.whole = false;
  return {std::move(truncate), std::move(tokens),
          number_control(settings, std::string(kDropAfter), "drop after",
                         "Drops the requests that are still running when this share of the step's requests has completed",
                         kDropDefault, 1, 100, "%")};
}

std::vector<Chart> what_if_charts(const Rollout& rollout, const ChartQuestion& question) {
  std::vector<Chart> charts = what_if_charts(rollout, what_if_rules(question.settings));
  if (charts[0].empty.empty() && question.step && *question.step < rollout.steps.size()) {
    charts[0].rules.push_back(
        {step_axis(rollout).x[*question.step], true, rollout.step_name(*question.step), kNeutralColor});
  }
  return charts;
}

}  // namespace tv
