#include "core/view/charts/rollout/charts_requests.h"
#include "core/view/charts/rollout/charts_run.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <variant>

#include "core/analysis/filter/request_filter.h"
#include "core/analysis/rollout/blame.h"
#include "core/analysis/rollout/worker_phases.h"
#include "core/view/chart/chart_csv.h"
#include "core/view/picture/chart_as_table.h"
#include "tests/support/chart_check.h"
#include "tests/support/gen_rollout.h"
#include "tests/support/gen_trace.h"
#include "tests/support/hand_rollout.h"
#include "tests/support/rollout_sketch.h"

using namespace tv;
using namespace tv::test;

namespace {

using RunMaker = std::vector<Chart> (*)(const Rollout&, const ChartQuestion&);
constexpr std::pair<const char*, RunMaker> kRunMakers[] = {{"heat map", heat_map_charts}, {"in flight", in_flight_charts},
                                                     {"scatter", scatter_charts},   {"groups", group_charts},
                                                     {"blame", blame_charts},       {"what if", what_if_charts},
                                                     {"compare", compare_charts}};

void check_all(const Rollout& rollout, const ChartQuestion& question) {
  for (const auto& maker : kRunMakers) {
    CAPTURE(maker.first);
    const std::vector<Chart> charts = maker.second(rollout, question);
    CHECK_FALSE(charts.empty());
    for (const Chart& chart : charts) {
      CAPTURE(chart.id);
      CHECK(flaw(rollout, chart) == "");
    }
  }
}

const Chart& by_id(const std::vector<Chart>& charts, std::string_view id) {
  const auto found = std::ranges::find(charts, id, &Chart::id);
  REQUIRE(found != charts.end());
  return *found;
}

std::string fact(const Chart& chart, std::string_view name) {
  for (const auto& [key, value] : chart.facts) {
    if (key == name) return value.text;
  }
  return "(none)";
}

}  // namespace

TEST_CASE("charts of a run: every question gives well-formed charts") {
  for (const std::uint64_t seed : seeds(12)) {
    CAPTURE(seed);
    const auto rollout = gen_rollout(seed, {.steps = 1 + static_cast<int>(seed % 4),
                                            .workers = 1 + static_cast<int>(seed % 3),
                                            .requests = 1 + static_cast<int>(seed * 5 % 23)});
    ChartQuestion question = about_all(*rollout);
    check_all(*rollout, question);
    question.step = static_cast<std::uint32_t>(rollout->steps.size() - 1);
    check_all(*rollout, question);
    question.worker = 0;
    check_all(*rollout, question);
    question = about_all(*rollout);
    question.request = 0;
    question.requests.resize(question.requests.size() / 2);
    check_all(*rollout, question);
  }
}

TEST_CASE("charts of a run: degenerate rollouts give well-formed charts, and an empty one says why") {
  const auto nothing = HandRollout().build();
  const auto file_alone = HandRollout().file(1, 0).build();
  const auto one = HandRollout().add({.seconds = 1}).build();
  const auto no_time = HandRollout().add({}).add({.worker = 1}).build();
  const auto runs = HandRollout()
                        .add({.seconds = 1, .batch = 1})
                        .add({.seconds = 2, .batch = 1})
                        .add({.seconds = 1, .batch = 1, .run = 1})
                        .add({.worker = 1, .begin = 0, .seconds = 3, .batch = 1, .run = 1})
                        .phase({.end = 3, .seconds = 2, .run = 1})
                        .build();
  for (const auto& rollout : {nothing, file_alone, one, no_time, runs}) {
    check_all(*rollout, about_all(*rollout));
    check_all(*rollout, {});
  }
  for (const auto& maker : kRunMakers) {
    CAPTURE(maker.first);
    for (const Chart& chart : maker.second(*nothing, {})) CHECK_FALSE(chart.empty.empty());
  }
}

TEST_CASE("charts of a run: a cell of the heat map leads to the worker's file of that step") {
  const auto rollout =
      HandRollout().add({.step = 1, .worker = 2, .seconds = 1}).add({.step = 4, .worker = 5, .seconds = 1}).build();
  const Chart chart = heat_map_chart(*rollout, heat_map(*rollout), HeatMeasure::Requests);
  CHECK(chart.x.categories == std::vector<std::string>{"1", "4"});
  CHECK(chart.y.categories == std::vector<std::string>{"2", "5"});
  REQUIRE(chart.cells);
  CHECK(chart.cells->targets[0] == ChartTarget{ChartTarget::Kind::WorkerStep, 0});
  CHECK(chart.cells->targets[1] == ChartTarget{});  // worker 2 has no file in step 4
  CHECK(chart.cells->targets[3] == ChartTarget{ChartTarget::Kind::WorkerStep, 1});
  CHECK(std::isnan(chart.cells->value[1]));
}

TEST_CASE("charts of a run: the blame ledger names the culprit, and the step chart shows the waits") {
  const auto rollout = gen_rollout(3, {.steps = 4, .workers = 4, .slow_step = 2, .slow_worker = 1});
  const BlameLedger ledger = blame(*rollout);
  const std::vector<Chart> charts = blame_charts(*rollout, about_all(*rollout));
  const Chart& chart = by_id(charts, "blame");
  REQUIRE(chart.table);
  CHECK(chart.table->rows.size() == 4);
  CHECK(chart.table->rows[0][0] == "step 3");
  CHECK(chart.table->rows[0][2] == "worker 1");
  CHECK(chart.table->targets[0] == ChartTarget{ChartTarget::Kind::Request, ledger.entries[0].request});
  double sum = 0;
  for (const double y : chart.series[0].y) sum += y;
  CHECK(sum == doctest::Approx(ledger.lost));
  // Without a chosen step, the chart shows the worst one. The culprit's wait is a series of its own.
  const Chart& step = by_id(charts, "blame_step");
  CHECK(step.title.ends_with("step 3"));
  CHECK(fact(step, "waited for") == "worker 1");
  CHECK(step.series[0].x.size() == 3);
  CHECK(step.series[1].x == std::vector<double>{1});
  sum = 0;
  for (const double y : by_id(charts, "blame_by_worker").series[0].y) sum += y;
  CHECK(sum == doctest::Approx(ledger.lost));
}

TEST_CASE("charts of a run: filters of groups select the groups") {
  const auto rollout = gen_rollout(5, {.steps = 2, .workers = 2, .requests = 8});
  const RequestSet all = all_requests(*rollout);
  for (const GroupRule& rule : {GroupRule{true, 1}, GroupRule{false, 1}, GroupRule{false, 2}}) {
    const RequestGroups found = request_groups(*rollout, all, rule);
    const std::vector<Chart> charts = group_charts(*rollout, all, rule, "all steps");
    const auto check = [&](const Chart& chart, const std::vector<ChartTarget>& targets,
                           const std::vector<std::uint32_t>& order) {
      REQUIRE(targets.size() == found.groups.size());
      for (std::size_t i = 0; i < order.size(); ++i) {
        const auto filter = parse_filter(chart.filters[targets[i].id]);
        REQUIRE(filter);
        CHECK(apply(*rollout, filter.value(), all) == found.groups[order[i]].members);
      }
    };
    const Chart& dots = by_id(charts, "groups");
    REQUIRE(dots.table);
    check(dots, dots.table->targets, found.by_ratio);
    // The bars show the same groups, so they have no table.
    const Chart& bars = by_id(charts, "groups_lost");
    CHECK_FALSE(bars.table);
    check(bars, bars.series[0].targets, found.by_lost);
  }
}

TEST_CASE("charts of a run: requests in flight and token rates add up to the totals") {
  const auto rollout = gen_rollout(8, {.steps = 1, .workers = 2, .requests = 20});
  const std::vector<Chart> charts = in_flight_charts(*rollout, about_all(*rollout));
  const double part = static_cast<double>(rollout->steps[0].extent.length()) * 1e-9 / 400;
  double tokens = 0, request_seconds = 0, all_tokens = 0, all_seconds = 0;
  for (const ChartSeries& series : by_id(charts, "token_rate").series) {
    for (const double y : series.y) tokens += y * part;
  }
  for (const ChartSeries& series : by_id(charts, "in_flight").series) {
    for (const double y : series.y) request_seconds += y * part;
  }
  for (RequestIx r = 0; r < rollout->size(); ++r) {
    all_tokens += rollout->tokens[r];
    all_seconds += rollout->seconds[r];
  }
  CHECK(tokens == doctest::Approx(all_tokens).epsilon(1e-6));
  CHECK(request_seconds == doctest::Approx(all_seconds).epsilon(1e-6));
  const auto no_turns = HandRollout().add({.seconds = 2, .tokens = 5}).build();
  CHECK_FALSE(by_id(in_flight_charts(*no_turns, about_all(*no_turns)), "token_rate").empty.empty());
}

TEST_CASE("charts of a run: phase bars add up to the seconds that workers spent in each phase") {
  const Ns second = 1'000'000'000;
  RolloutSketch sketch;
  sketch.file(1, 0).first_line(9 * second, 9).phase(kGenerate, 4, 4 * second).phase(kBarrierWait, 5, 9 * second).request(4, 1, -1, 4 * second);
  sketch.file(1, 1).first_line(9 * second, 9).phase(kGenerate, 9, 9 * second).request(9, 1, -1, 9 * second);
  const auto rollout = sketch.build();
  const std::vector<Chart> charts = in_flight_charts(*rollout, about_all(*rollout));
  const Chart& chart = by_id(charts, "workers_in_phases");
  REQUIRE(chart.series.size() == 2);
  const double part = to_seconds(rollout->steps[0].extent.length()) / static_cast<double>(chart.series[0].y.size());
  const auto worker_seconds = [&](const ChartSeries& series) { return part * std::accumulate(series.y.begin(), series.y.end(), 0.0); };
  CHECK(worker_seconds(chart.series[0]) == doctest::Approx(13));
  CHECK_FALSE(chart.series[0].hatched);
  CHECK(worker_seconds(chart.series[1]) == doctest::Approx(5));
  CHECK(chart.series[1].hatched);
}

TEST_CASE("charts of a run: the scatter chart has every request once") {
  const auto rollout = gen_rollout(4);
  const std::vector<Chart> charts = scatter_charts(*rollout, about_all(*rollout));
  const Chart& chart = by_id(charts, "scatter_tool_s_engine_s");
  std::vector<std::uint32_t> seen;
  for (const ChartSeries& series : chart.series) {
    for (const ChartTarget& target : series.targets) seen.push_back(target.id);
  }
  std::ranges::sort(seen);
  CHECK(seen == all_requests(*rollout));
  CHECK(chart.x.field == "tool_s");
  // The shares of each tenth add up to 100 %.
  const Chart& shares = by_id(charts, "time_shares");
  CHECK(shares.x.categories.size() == 10);
  for (std::size_t i = 0; i < 10; ++i) {
    double sum = 0;
    for (const ChartSeries& series : shares.series) sum += series.y[i];
    CHECK(sum == doctest::Approx(100));
  }
}

TEST_CASE("charts of a run: what-if estimates do not exceed actual times, and name their assumptions") {
  const auto rollout = gen_rollout(6, {.slow_step = 1});
  const std::vector<Chart> charts = what_if_charts(*rollout, about_all(*rollout));
  const Chart& chart = by_id(charts, "what_if");
  const std::vector<WhatIfRule> rules = what_if_rules({});
  REQUIRE(chart.series.size() == 1 + rules.size());
  for (std::size_t s = 1; s < chart.series.size(); ++s) {
    for (std::size_t i = 0; i < chart.series[0].y.size(); ++i) CHECK(chart.series[s].y[i] <= chart.series[0].y[i]);
  }
  for (const WhatIfRule& rule : rules) CHECK(chart.note.find(assumptions(rule.kind)) != std::string::npos);
  const WhatIfRule one[] = {{WhatIfRule::Kind::Rebalance}};
  CHECK(what_if_charts(*rollout, one)[0].series.size() == 2);
  CHECK(by_id(charts, "what_if_saved").series[0].y[0] ==
        doctest::Approx(what_if(*rollout, rules[0]).worker_seconds));
}

TEST_CASE("charts of a run: by default, the chosen step is compared with all other steps") {
  const auto rollout = gen_rollout(7, {.steps = 4, .workers = 3, .requests = 20, .slow_step = 2});
  ChartQuestion question = about_all(*rollout);
  question.step = 2;  // where worker 0 is ten times as slow
  const std::vector<Chart> charts = compare_charts(*rollout, question);
  CHECK(fact(by_id(charts, "compare"), "verdict") == "different");
  CHECK(by_id(charts, "compare").table->rows.back()[0] == "mean step time");
  CHECK(fact(by_id(charts, "compare_length_matched"), "used of step 3") != "(none)");
  CHECK(by_id(charts, "compare").series[0].name == "all other steps (180)");
  CHECK(by_id(charts, "compare").series[1].name == "step 3 (60)");
}

TEST_CASE("charts of a run: settings decide what is compared, replayed and grouped") {
  const auto rollout = gen_rollout(7, {.steps = 4, .workers = 3, .requests = 20, .slow_step = 2});
  ChartQuestion question = about_all(*rollout);
  question.settings.set(kCompareA, "worker==1");
  question.settings.set(kCompareB, "worker==2");
  const std::vector<Chart> sides = compare_charts(*rollout, question);
  CHECK(by_id(sides, "compare").series[0].name == "worker 1 (80)");
  CHECK(by_id(sides, "compare").series[1].name == "worker 2 (80)");
  question.settings.set(kTruncateAt, "50");
  question.settings.set(kTokensAt, "7");
  question.settings.set(kDropAfter, "30");
  const std::vector<WhatIfRule> rules = what_if_rules(question.settings);
  CHECK(rules[0] == WhatIfRule{WhatIfRule::Kind::TruncateDuration, 0.5});
  CHECK(rules[1] == WhatIfRule{WhatIfRule::Kind::TruncateTokens, 7});
  CHECK(rules[2] == WhatIfRule{WhatIfRule::Kind::DropLate, 0.3});
  CHECK(by_id(what_if_charts(*rollout, question), "what_if_saved").series[0].y[2] ==
        doctest::Approx(what_if(*rollout, rules[2]).worker_seconds));

  // batch_data_id 0 to 3 on each of two workers: four groups across workers; in twos, two groups on each worker.
  HandRollout pairs;
  for (const int worker : {0, 1}) {
    for (int number = 0; number < 4; ++number) {
      pairs.add({.worker = worker, .seconds = 1.0 + number + 10 * worker, .batch = number});
    }
  }
  const auto grouped = pairs.build();
  ChartQuestion groups = about_all(*grouped);
  const auto found = [&] { return fact(by_id(group_charts(*grouped, groups), "groups"), "groups"); };
  CHECK(found() == "4");
  groups.settings.set(kGroupNumbers, "on_worker");
  CHECK(fact(by_id(group_charts(*grouped, groups), "groups"), "groups") == "(none)");
  groups.settings.set(kGroupSiblings, "2");
  CHECK(found() == "4");
  groups.settings.set(kGroupNumbers, "across");
  CHECK(found() == "2");

  // A view file may set any number. The window's controls then show the greatest that they take.
  groups.settings.set(kGroupSiblings, "1e300");
  CHECK(found() == "1");
  CHECK(by_id(group_charts(*grouped, groups), "groups").note.find("batch_data_id / 64") != std::string::npos);
  groups.settings.set(kTokensAt, "1e300");
  CHECK(by_id(what_if_charts(*grouped, groups), "what_if").note.find("at most 2,147,483,647 tokens") != std::string::npos);
}

TEST_CASE("charts of a run: the histogram counts every request, with the axis and bins that are set") {
  const auto rollout = gen_rollout(8, {.steps = 2, .workers = 2, .requests = 50});
  ChartQuestion question = about_all(*rollout);
  for (const char* scale : {"", "log"}) {
    question.settings.set("duration_axis", scale);
    question.settings.set("histogram_bins", "17");
    const std::vector<Chart> charts = request_cdf_charts(*rollout, question);
    const Chart& chart = by_id(charts, "request_histogram");
    CHECK(chart.x.log == (std::string_view(scale) == "log"));
    REQUIRE(chart.series[0].x.size() == 2 * 17);
    double counted = 0;
    for (std::size_t i = 1; i < chart.series[0].y.size(); i += 4) counted += chart.series[0].y[i];
    CHECK(counted == static_cast<double>(rollout->size()));
    CHECK(chart.series[0].x.front() == doctest::Approx(*std::ranges::min_element(rollout->seconds)));
    CHECK(chart.series[0].x.back() == *std::ranges::max_element(rollout->seconds));
    CHECK(by_id(charts, "request_cdf").x.log == chart.x.log);
    // In files and terminals, each bin is a row, and each request is counted once.
    const ChartTable table = chart_as_table(chart).table;
    REQUIRE(table.rows.size() == 17);
    double rows = 0;
    for (const auto& row : table.rows) rows += std::get<double>(row[2].full);
    CHECK(rows == static_cast<double>(rollout->size()));
    CHECK(chart_csv(chart) == table_csv(table));
    CHECK(chart_csv(chart).starts_with("from (s),to (s),requests\r\n"));
  }
}
