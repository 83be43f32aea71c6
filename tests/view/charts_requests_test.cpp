#include "core/view/charts/rollout/charts_requests.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "core/analysis/filter/request_filter.h"
#include "core/analysis/requests/request_cdf.h"
#include "core/view/charts/rollout/rollout_chart_parts.h"
#include "tests/support/chart_check.h"
#include "tests/support/gen_rollout.h"
#include "tests/support/gen_trace.h"
#include "tests/support/rollout_sketch.h"

using namespace tv;
using namespace tv::test;

namespace {

using RequestMaker = std::vector<Chart> (*)(const Rollout&, const ChartQuestion&);
constexpr std::array<RequestMaker, 7> kRequestMakers = {request_cdf_charts,  step_overview_charts,    worker_phase_charts,
                                          request_breakdown_charts, turn_cost_charts, turn_distribution_charts,
                                          event_share_charts};

const ChartSeries& series_of(const Chart& chart, std::string_view name) {
  const auto found = std::ranges::find(chart.series, name, &ChartSeries::name);
  REQUIRE_MESSAGE(found != chart.series.end(), "no series ", name);
  return *found;
}

}  // namespace

TEST_CASE("charts of requests: every question gives well-formed charts") {
  for (const std::uint64_t seed : seeds(12)) {
    CAPTURE(seed);
    Random random(seed);
    RolloutShape shape;
    shape.steps = static_cast<int>(random.in(1, 8));
    shape.workers = static_cast<int>(random.in(1, 4));
    shape.requests = static_cast<int>(random.in(1, 140));
    shape.slow_step = shape.steps - 1;
    const auto rollout = gen_rollout(seed, shape);
    for (int asked = 0; asked < 16; ++asked) {
      CAPTURE(asked);
      ChartQuestion question = about_all(*rollout);
      question.as_script = asked & 1;
      if (asked & 2) question.step = static_cast<std::uint32_t>(random.next() % rollout->steps.size());
      if (asked & 4) question.worker = static_cast<std::uint32_t>(random.next() % rollout->workers.size());
      if (asked & 8) question.request = static_cast<RequestIx>(random.next() % rollout->size());
      if (random.chance(0.5)) std::erase_if(question.requests, [&](RequestIx) { return random.chance(0.5); });
      for (std::size_t m = 0; m < kRequestMakers.size(); ++m) {
        CAPTURE(m);
        const std::vector<Chart> charts = kRequestMakers[m](*rollout, question);
        REQUIRE(!charts.empty());
        for (const Chart& chart : charts) {
          CAPTURE(chart.id);
          CHECK(flaw(*rollout, chart) == "");
        }
      }
    }
  }
}

TEST_CASE("charts of requests: a chart with nothing to draw says why") {
  RolloutSketch bare;
  bare.file(1, 0);
  RolloutSketch unsaid;
  unsaid.file(1, 0).request(kNotMeasured, -1).file(2, 0, 1).request(0, 0);
  for (const auto& rollout : {RolloutSketch().build(), bare.build(), unsaid.build()}) {
    for (const bool as_script : {false, true}) {
      for (const RequestMaker maker : kRequestMakers) {
        ChartQuestion question = about_all(*rollout);
        question.as_script = as_script;
        for (const Chart& chart : maker(*rollout, question)) {
          CAPTURE(chart.id);
          CHECK(flaw(*rollout, chart) == "");
          if (rollout->size() == 0) CHECK(!chart.empty.empty());
        }
      }
    }
  }
}

TEST_CASE("chart request_cdf: curves, quantiles and titles follow the chosen step and requests") {
  RolloutSketch s;
  s.file(31, 0).request(1).request(2).file(32, 0).request(4).request(8).file(32, 1).request(6);
  const auto rollout = s.build();
  ChartQuestion question = about_all(*rollout);
  question.step = 1;
  const std::vector<Chart> charts = request_cdf_charts(*rollout, question);
  REQUIRE(charts.size() == 4);
  CHECK(charts[0].title == "Duration of requests, step 32 (3 requests)");
  REQUIRE(charts[0].series.size() == 2);  // first the faint curve of all steps
  CHECK(charts[0].series[0].faint);
  CHECK(charts[0].series[1].x == std::vector<double>{4, 6, 8});
  CHECK(charts[0].series[1].y.back() == 100);
  CHECK(charts[0].series[1].targets[0] == request_target(2));
  REQUIRE(charts[0].rules.size() == kCdfQuantiles.size());
  CHECK(charts[0].rules[0].at == 6);
  CHECK(charts[0].rules[0].text == "P50 6 s");
  CHECK(charts[0].rules[5].text.starts_with("P99.9 "));
  CHECK(charts[0].x.field == "dur");
  CHECK(charts[1].id == "request_histogram");
  // By step: all steps, whichever is chosen.
  REQUIRE(charts[2].series.size() == 2);
  CHECK(charts[2].series[1].name == "step 32");
  CHECK(charts[2].series[0].faint);
  REQUIRE(charts[2].table);
  CHECK(charts[2].table->rows[1][1] == "3");
  // By worker: only requests of the chosen step.
  CHECK(series_of(charts[3], "worker 1").x == std::vector<double>{6});
  question.requests = {2};
  CHECK(request_cdf_charts(*rollout, question)[0].title == "Duration of requests, step 32 (1 of 3 requests)");
}

TEST_CASE("chart step_overview: a slow step stands out, and the script's chart has the same durations") {
  RolloutShape shape;
  shape.steps = 6;
  shape.slow_step = 3;
  const auto rollout = gen_rollout(5, shape);
  const Chart chart = step_overview_charts(*rollout, about_all(*rollout))[0];
  REQUIRE(chart.series.size() == 4);
  CHECK(chart.series[0].x == std::vector<double>{1, 2, 3, 4, 5, 6});
  CHECK(std::isnan(chart.series[1].y.back()));
  const ChartSeries& slow = series_of(chart, "stands out");
  CHECK(slow.targets[0] == step_target(3));
  CHECK(slow.y[0] == chart.series[0].y[3]);
  REQUIRE(chart.table);
  CHECK(chart.table->rows[0][4].text.starts_with("worker 0: async_generate "));
  ChartQuestion question = about_all(*rollout);
  question.as_script = true;
  const Chart script = step_overview_charts(*rollout, question)[0];
  CHECK(script.series[0].y == chart.series[0].y);
  CHECK(script.series[1].y.size() == 5);
}

TEST_CASE("chart worker_phases: stacks add up to the totals, and the script shows the last duration of a phase") {
  RolloutSketch s;
  s.file(1, 0).phase("async_generate_duration", 3).phase("barrier_wait_duration", 4).phase("total_step_duration", 10);
  s.file(1, 2).phase("async_generate_duration", 2).phase("async_generate_duration", 5).phase("total_step_duration", 9);
  const auto rollout = s.build();
  ChartQuestion question = about_all(*rollout);
  const Chart chart = worker_phase_charts(*rollout, question)[0];
  CHECK(chart.horizontal);
  CHECK(chart.y.categories == std::vector<std::string>{"worker 0", "worker 2"});
  CHECK(series_of(chart, "barrier_wait").hatched);
  CHECK(series_of(chart, "async_generate").y == std::vector<double>{3, 7});
  std::array<double, 2> sum{};
  for (const ChartSeries& series : chart.series) {
    for (std::size_t w = 0; w < 2; ++w) sum[w] += series.y[w];
  }
  CHECK(sum == std::array{10.0, 9.0});
  CHECK(chart.facts[0].value == "worker 2");
  CHECK(chart.table->rows[0][4] == "worker 2");
  question.as_script = true;
  const Chart script = worker_phase_charts(*rollout, question)[0];
  CHECK(script.side_by_side);
  // The note explains hatching only if bars are hatched.
  CHECK(chart.note.find("hatched") != std::string::npos);
  CHECK(script.note.find("hatched") == std::string::npos);
  CHECK(series_of(script, "worker 2").y[0] == 5);
  CHECK(script.table->rows[0][4] == "total_step (10 s)");
}

TEST_CASE("chart request_breakdown: bars add up to request durations, slowest first") {
  const auto rollout = gen_rollout(3);
  ChartQuestion question = about_all(*rollout);
  const std::vector<Chart> charts = request_breakdown_charts(*rollout, question);
  REQUIRE(charts.size() == 2);
  const Chart& slowest = charts[0];
  REQUIRE(slowest.table);
  CHECK(slowest.table->rows.size() == 20);
  CHECK(slowest.y.categories.size() == 21);
  double before = 1e9;
  for (std::size_t i = 0; i < 20; ++i) {
    double sum = 0;
    for (const ChartSeries& series : slowest.series) sum += series.y[i];
    const RequestIx r = slowest.series[0].targets[i].id;
    CHECK(sum == doctest::Approx(rollout->seconds[r]).epsilon(1e-8));
    CHECK(rollout->seconds[r] <= before);
    before = rollout->seconds[r];
  }
  CHECK(before >= rollout->seconds[slowest.series[0].targets[20].id]);
  double whole = 0;
  for (const ChartSeries& series : charts[1].series) whole += series.y[0];
  CHECK(whole == doctest::Approx(rollout->seconds[charts[1].series[0].targets[0].id]));
  // The file has 12 requests, but the script lists only the two shortest.
  question.as_script = true;
  question.step = 1;
  question.worker = 2;
  const std::vector<Chart> script = request_breakdown_charts(*rollout, question);
  REQUIRE(script.size() == 2);
  CHECK(script[0].title == "\"Slowest\" requests of step_2/worker_2.jsonl as verl's script lists them");
  CHECK(script[0].table->rows.size() == 2);
  CHECK(script[0].table->rows[1][0] == "12");
  CHECK(script[1].x.categories.back() == "async_rollout_request_complete");
}

TEST_CASE("charts of turns: the filter of a bar selects as many requests as the bar shows") {
  for (const std::uint64_t seed : seeds(5)) {
    CAPTURE(seed);
    const auto rollout = gen_rollout(seed);
    const RequestSet all = all_requests(*rollout);
    for (const Chart& chart : turn_distribution_charts(*rollout, about_all(*rollout))) {
      if (chart.id == "turn_durations") continue;
      for (const ChartSeries& series : chart.series) {
        for (std::size_t i = 0; i < series.x.size(); ++i) {
          const auto filter = parse_filter(chart.filters[series.targets[i].id]);
          REQUIRE(filter);
          CHECK(static_cast<double>(apply(*rollout, filter.value(), all).size()) == series.y[i]);
        }
      }
    }
    const Chart cost = turn_cost_charts(*rollout, about_all(*rollout))[0];
    for (std::size_t t = 0; t < cost.table->rows.size(); ++t) {
      const auto filter = parse_filter(cost.filters[cost.table->targets[t].id]);
      REQUIRE(filter);
      CHECK(std::to_string(apply(*rollout, filter.value(), all).size()) == cost.table->rows[t][1]);
    }
  }
}

TEST_CASE("chart event_share: bars add up to 100 %") {
  const auto rollout = gen_rollout(9);
  ChartQuestion question = about_all(*rollout);
  const Chart chart = event_share_charts(*rollout, question)[0];
  for (std::size_t s = 0; s < rollout->steps.size(); ++s) {
    double sum = 0;
    for (const ChartSeries& series : chart.series) sum += series.y[s];
    CHECK(sum == doctest::Approx(100));
  }
  question.as_script = true;
  CHECK(event_share_charts(*rollout, question)[0].series.size() == 3);
}

TEST_CASE("charts of several runs: steps have names, filters tell runs apart") {
  RolloutSketch s;
  s.file(1, 0)
      .phase("total_step_duration", 3)
      .request(1, 1)
      .file(1, 0, 1)
      .phase("total_step_duration", 4)
      .request(2, 1);
  const auto rollout = s.build();
  const Chart overview = step_overview_charts(*rollout, about_all(*rollout))[0];
  CHECK(overview.x.categories.size() == 2);
  CHECK(overview.x.field.empty());
  CHECK(overview.series[0].y == std::vector<double>{3, 4});
  const Chart counts = turn_distribution_charts(*rollout, about_all(*rollout))[0];
  CHECK(counts.filters[1] == "run==2 && step==1 && turns==1");
}

TEST_CASE("charts of requests: titles name the steps of the selected requests, however far apart these are") {
  const auto words = [](const std::vector<int>& steps) {
    RolloutSketch sketch;
    for (const int step : steps) sketch.file(step, 0).request(1);
    const auto rollout = sketch.build();
    ChartQuestion question = about_all(*rollout);
    question.of_selection = true;
    return scope_words(*rollout, question);
  };
  CHECK(words({3, 4, 5}) == "steps 3 to 5");
  CHECK(words({3, 4, 6}) == "steps 3, 4 and 6");
  CHECK(words({0, 2'147'483'647}) == "steps 0 and 2147483647");
  CHECK(words({-2'147'483'647, 0, 1, 2'147'483'647}) == "4 steps");
}

TEST_CASE("charts of whole steps: an area limits them to the steps that it touches, if there are any") {
  const auto rollout = gen_rollout(3, {.steps = 3, .workers = 2, .requests = 5});
  ChartQuestion question;
  CHECK(steps_in_area(*rollout, question) == std::vector<bool>{true, true, true});
  const TimeRange middle = rollout->steps[1].extent;
  REQUIRE(rollout->steps[0].extent.end <= middle.begin);
  REQUIRE(middle.end <= rollout->steps[2].extent.begin);
  question.area = Scope{middle};
  CHECK(steps_in_area(*rollout, question) == std::vector<bool>{false, true, false});
  question.area = Scope{{middle.begin, rollout->steps[2].extent.end}};
  CHECK(steps_in_area(*rollout, question) == std::vector<bool>{false, true, true});
  const Ns after = rollout->steps[2].extent.end;
  question.area = Scope{{after + 1, after + 2}};
  CHECK(steps_in_area(*rollout, question) == std::vector<bool>{true, true, true});
}
