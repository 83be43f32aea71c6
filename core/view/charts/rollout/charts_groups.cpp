#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/analysis/filter/request_filter.h"
#include "core/view/chart/chart_cell.h"
#include "core/view/charts/rollout/charts_run.h"
#include "core/view/charts/rollout/rollout_chart_parts.h"

namespace tv {
namespace {

constexpr std::size_t kMostGroups = 100;
constexpr std::int64_t kMostSiblings = 64;
constexpr std::string_view kOnWorkers = "on_worker", kAcrossWorkers = "across";

// What batch_data_id means depends on the version of verl (request_groups.h), so the note states what is assumed.
std::string note_of(const GroupRule& rule) {
  return fmt::format(
      "A group is the complete requests of one run and step with the same batch_data_id{}{}. Ratio: the slowest sibling's "
      "duration over the median. Lost: how long the other siblings wait for the slowest one, added up. verl counts "
      "batch_data_id within each worker's share of the batch; whether samples of a prompt share a number depends on verl's "
      "version.",
      rule.siblings > 1 ? fmt::format(" / {}", rule.siblings) : "",
      rule.across_workers ? ", across workers" : " on one worker");
}

// An expression of request_filter.h that selects the group.
std::string filter_of(const Rollout& rollout, const RequestGroup& group, const GroupRule& rule) {
  std::string out = step_filter(rollout, group.step);
  if (rule.siblings > 1) {
    const std::int64_t first = group.batch_id / rule.siblings * rule.siblings;
    out += fmt::format(" && group>={} && group<{}", first, first + rule.siblings);
  } else {
    out += fmt::format(" && group=={}", group.batch_id);
  }
  if (!rule.across_workers) {
    out += fmt::format(" && worker=={}", rollout.workers[rollout.worker[group.members.front()]]);
  }
  return out;
}

// Makes a row for each of the groups with the greatest ratios. Adds a filter for each to the chart.
ChartTable worst(const Rollout& rollout, const RequestGroups& found, const GroupRule& rule, Chart& chart) {
  ChartTable table;
  table.columns = {{"step"},           {"group", true},  {"ratio", true}, {"lost", true}, {"slowest", true},
                   {"median", true}, {"spread", true}, {"size", true},  {"slowest request"}};
  for (std::size_t i = 0; i < std::min(found.by_ratio.size(), kMostGroups); ++i) {
    const RequestGroup& group = found.groups[found.by_ratio[i]];
    table.rows.push_back({rollout.step_name(group.step), std::to_string(group.batch_id), number_cell(group.ratio, 2),
                          seconds_cell(group.lost), seconds_cell(group.max), seconds_cell(group.median),
                          seconds_cell(group.spread()), count_cell(group.members.size()),
                          name_cell(short_id(rollout.id(group.slowest)), rollout.id(group.slowest))});
    table.targets.push_back(filter_target(chart, filter_of(rollout, group, rule)));
  }
  return table;
}

}  // namespace

std::vector<Chart> group_charts(const Rollout& rollout, const RequestSet& requests, const GroupRule& rule,
                                const std::string& scope) {
  const RequestGroups found = request_groups(rollout, requests, rule);
  if (found.groups.empty()) {
    return {empty_chart(
        "groups", "Slowest sibling of each prompt, " + scope,
        requests.empty() ? std::string(kNoRequests) : "No two requests belong to one prompt (batch_data_id)")};
  }
  std::vector<double> ratios;
  double lost = 0;
  for (const RequestGroup& group : found.groups) {
    ratios.push_back(group.ratio);
    lost += group.lost;
  }
  const Summary summary = summarize(ratios);

  std::vector<Chart> charts(2);
  Chart& dots = charts[0];
  dots.id = "groups";
  dots.title = "Slowest sibling of each prompt against the median, " + scope;
  dots.note = note_of(rule);
  dots.table = worst(rollout, found, rule, dots);
  dots.x.title = "median duration of the group (s)";
  dots.y.title = "longest duration of the group (s)";
  dots.x.unit = dots.y.unit = ChartUnit::Seconds;
  dots.x.from_zero = dots.y.from_zero = true;
  ChartSeries& points = dots.series.emplace_back();
  points.name = "groups";
  points.mark = ChartSeries::Mark::Dots;
  double most = 0;
  for (const RequestGroup& group : found.groups) {
    points.x.push_back(group.median);
    points.y.push_back(group.max);
    points.targets.push_back(filter_target(dots, filter_of(rollout, group, rule)));
    most = std::max(most, group.median);
  }
  for (const double times : {1.0, 2.0}) {
    ChartSeries& line = dots.series.emplace_back();
    line.name = times == 1 ? "as long as the median" : "twice the median";
    line.color = times == 1 ? kNeutralColor : 5;
    line.dashed = true;
    line.faint = times == 1;
    line.x = {0, most};
    line.y = {0, most * times};
  }
  dots.facts = {{"groups", count_cell(found.groups.size())},
                {"median ratio", number_cell(summary.median, 2)},
                {"greatest ratio", number_cell(summary.max, 2)},
                {"lost by siblings", seconds_cell(lost)},
                {"without a sibling", count_cell(found.without_sibling)},
                {"without batch_data_id", count_cell(found.without_id)}};

  Chart& bars = charts[1];
  bars.id = "groups_lost";
  bars.title = "Groups by the time lost waiting for the slowest sibling, " + scope;
  bars.note = note_of(rule);
  bars.x.title = "groups, most lost first";
  bars.x.unit = ChartUnit::Count;
  bars.y.title = "lost (sibling-seconds)";
  bars.y.unit = ChartUnit::Seconds;
  ChartSeries& series = bars.series.emplace_back();
  series.mark = ChartSeries::Mark::Bars;
  series.color = 1;
  for (std::size_t i = 0; i < std::min(found.by_lost.size(), kMostGroups); ++i) {
    const RequestGroup& group = found.groups[found.by_lost[i]];
    series.x.push_back(static_cast<double>(i + 1));
    series.y.push_back(group.lost);
    series.targets.push_back(filter_target(bars, filter_of(rollout, group, rule)));
  }
  return charts;
}

std::vector<ChartControl> group_controls(const Rollout&, const ChartSettings& settings) {
  return {choice_control(settings, std::string(kGroupNumbers), "batch_data_id",
                         "Whether the same number on two workers is the same prompt, which depends on verl's version",
                         {{"", "as the numbers suggest"},
                          {std::string(kOnWorkers), "counts on each worker"},
                          {std::string(kAcrossWorkers), "counts across workers"}}),
          number_control(settings, std::string(kGroupSiblings), "samples of a prompt",
                         "How many consecutive numbers are one prompt. 1: its samples share a number", 1, 1, kMostSiblings, "")};
}

std::vector<Chart> group_charts(const Rollout& rollout, const ChartQuestion& question) {
  // All workers count, because siblings may run on any of them.
  ChartQuestion scope = question;
  scope.worker.reset();
  const RequestSet requests = requests_in_question(rollout, scope);
  GroupRule rule = likely_group_rule(rollout);
  const std::string_view numbers = question.settings.text(kGroupNumbers);
  if (!numbers.empty()) rule.across_workers = numbers == kAcrossWorkers;
  rule.siblings = std::clamp<std::int64_t>(question.settings.whole_number(kGroupSiblings).value_or(1), 1, kMostSiblings);
  return group_charts(rollout, requests, rule, scope_text(rollout, scope, requests.size()));
}

}  // namespace tv
