// Chart controls, and brushes translated into filters.
#include "core/view/chart/chart_controls.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "core/analysis/filter/request_filter.h"
#include "core/view/chart/chart_brush.h"
#include "core/view/chart/chart_csv.h"
#include "core/view/charts/chart_kinds.h"
#include "core/view/charts/rollout/charts_requests.h"
#include "core/view/charts/rollout/rollout_chart_parts.h"
#include "tests/support/chart_check.h"
#include "tests/support/gen_rollout.h"
#include "tests/support/hand_rollout.h"

using namespace tv;
using namespace tv::test;

TEST_CASE("chart settings: numbers and texts are stored by name, and empty restores the default") {
  ChartSettings settings;
  CHECK(settings.number("bins", 50) == 50);
  settings.set("bins", "17.5");
  settings.set("side", "step==3");
  CHECK(settings.number("bins", 50) == 17.5);
  CHECK(settings.text("side") == "step==3");
  CHECK(settings.number("side", 4) == 4);
  settings.set("bins", "");
  settings.set("side", "");
  settings.set("never", "");
  CHECK(settings == ChartSettings());
}

TEST_CASE("chart settings: a whole number that does not fit becomes the nearest that does") {
  ChartSettings settings;
  const auto whole = [&](const char* text) {
    settings.set("step", text);
    return settings.whole_number("step");
  };
  CHECK(whole("17") == 17);
  CHECK(whole("-2.75") == -2);
  CHECK(whole("1e300") == 9'000'000'000'000'000'000);
  CHECK(whole("-1e300") == -9'000'000'000'000'000'000);
  CHECK_FALSE(whole("nan"));
  CHECK_FALSE(whole("step 3"));
  CHECK_FALSE(settings.whole_number("other"));
}

TEST_CASE("chart settings: an invalid value is refused, and the error says what the control takes") {
  const auto rollout = gen_rollout(3, {.steps = 2, .workers = 2, .requests = 5});
  const std::vector<ChartControl> controls = all_controls({.rollout = rollout}, {});
  for (std::size_t c = 0; c < controls.size(); ++c) {
    for (std::size_t other = 0; other < c; ++other) CHECK(controls[c].setting != controls[other].setting);
    CHECK_FALSE(controls[c].hint.empty());
    CHECK_FALSE(controls[c].shown().empty());
  }
  CHECK(check_setting(controls, "compare_a", "step==1").ok());
  CHECK(check_setting(controls, "compare_a", "dur>2s && turns==1").ok());
  CHECK(check_setting(controls, "compare_a", "selected").ok());
  const std::vector<ChartControl> texts = {text_control({}, "communication", "communication too", "patterns")};
  CHECK(check_setting(texts, "communication", "my_exchange*|-layout").ok());
  CHECK(texts[0].shown().empty());
  CHECK(check_setting(controls, "compare_a", "nonsense>").error().text().find("nonsense") != std::string::npos);
  CHECK(check_setting(controls, "duration_axis", "log").ok());
  CHECK(check_setting(controls, "duration_axis", "curved").error().remedy == "it takes log");
  CHECK(check_setting(controls, "histogram_bins", "20").ok());
  CHECK(check_setting(controls, "histogram_bins", "1e9").error().remedy == "it takes a number from 5 to 200");
  CHECK_FALSE(check_setting(controls, "histogram_bins", "many").ok());
  CHECK(check_setting(controls, "bins", "20").error().remedy.find("histogram_bins") != std::string::npos);
  // Each name once, also one that is part of another.
  const std::vector<ChartControl> logs = {text_control({}, "log_a", "first", "a log"), text_control({}, "log", "log", "a log"),
                                          text_control({}, "log_a", "first", "a log")};
  CHECK(check_setting(logs, "bins", "20").error().remedy == "settings: log_a, log");
}

TEST_CASE("chart brush: a brush becomes a filter on the fields of the axes") {
  Chart chart;
  chart.x.field = "dur";
  CHECK(brush_filter(chart, {std::pair(1.5, 2.0), {}, {}}) == "dur>=1.5s && dur<=2s");
  CHECK(brush_filter(chart, {std::pair(1.5, 2.0), std::pair(0.0, 1.0), {}}) == "dur>=1.5s && dur<=2s");
  CHECK(brush_filter(chart, {{}, {}, {{0, 0}, {1, 0}, {1, 1}}}).empty());
  chart.y.field = "turns";
  CHECK(brush_filter(chart, {std::pair(1.5, 2.0), std::pair(2.0, 3.0), {}}) ==
        "dur>=1.5s && dur<=2s && turns>=2 && turns<=3");
  const std::string around = brush_filter(chart, {{}, {}, {{0, 0}, {1.23456, 0}, {1, 100000}}});
  CHECK(around == "inside(dur, turns, 0, 0, 1.235, 0, 1, 1e+05)");
  CHECK(parse_filter(around).ok());
  CHECK(brush_filter(chart, {{}, {}, {{0, 0}, {1, 0}}}).empty());
}

TEST_CASE("chart brush: a brush over categories filters by their values") {
  Chart chart;
  chart.x.field = "step";
  chart.x.categories = {"3", "7", "9"};
  chart.x.category_values = {3, 7, 9};
  CHECK(brush_filter(chart, {std::pair(0.5, 2.5), {}, {}}) == "step>=7 && step<=9");
  CHECK(brush_filter(chart, {std::pair(-0.5, 0.5), {}, {}}) == "step>=3 && step<=3");
  CHECK(brush_filter(chart, {std::pair(5.0, 6.0), {}, {}}).empty());
  chart.y.field = "worker";
  chart.y.categories = {"0", "4"};
  chart.y.category_values = {0, 4};
  CHECK(brush_filter(chart, {std::pair(0.5, 2.5), std::pair(0.5, 1.5), {}}) == "step>=7 && step<=9 && worker>=4 && worker<=4");
  CHECK(brush_filter(chart, {std::pair(0.5, 2.5), std::pair(0.2, 0.8), {}}).empty());  // between two rows: not all workers
  CHECK(brush_filter(chart, {std::pair(0.2, 0.8), std::pair(0.5, 1.5), {}}).empty());
}

TEST_CASE("charts of the whole rollout do not depend on the selected requests") {
  const auto rollout = gen_rollout(6, {.steps = 3, .workers = 2, .requests = 8});
  ChartQuestion all = about_all(*rollout), some = all;
  all.step = some.step = 1;
  some.requests = {1, 5, 20};
  for (const ChartKind& kind : chart_kinds()) {
    if (kind.of_requests || kind.of != RunPart::Rollout) continue;
    for (const bool as_script : {false, true}) {
      all.as_script = some.as_script = as_script;
      const std::vector<Chart> a = kind.make({.rollout = rollout}, all), b = kind.make({.rollout = rollout}, some);
      REQUIRE(a.size() == b.size());
      for (std::size_t c = 0; c < a.size(); ++c) {
        CAPTURE(a[c].id);
        CHECK(a[c].title == b[c].title);
        CHECK(std::ranges::equal(a[c].facts, b[c].facts, [](const ChartFact& x, const ChartFact& y) {
          return x.name == y.name && x.value.text == y.value.text;
        }));
        CHECK(chart_csv(a[c]) == chart_csv(b[c]));
        CHECK((!a[c].table || table_csv(*a[c].table) == table_csv(*b[c].table)));
      }
    }
  }
}

TEST_CASE("marks of charts stand for requests: every target gives a filter that selects its requests") {
  const auto rollout = gen_rollout(5, {.steps = 3, .workers = 2, .requests = 8});
  const ChartQuestion question = about_all(*rollout);
  for (const ChartKind& kind : chart_kinds()) {
    if (kind.of != RunPart::Rollout) continue;
    for (const Chart& chart : kind.make({.rollout = rollout}, question)) {
      for (const ChartSeries& series : chart.series) {
        for (const ChartTarget& target : series.targets) {
          if (target.kind == ChartTarget::Kind::None) continue;
          CAPTURE(chart.id);
          const auto filter = parse_filter(target_filter(*rollout, chart, target));
          REQUIRE(filter.ok());
          const RequestSet some = apply(*rollout, filter.value(), question.requests);
          if (target.kind == ChartTarget::Kind::Request) CHECK(some == RequestSet{target.id});
          if (target.kind == ChartTarget::Kind::Step) CHECK(rollout->step[some.front()] == target.id);
          if (target.kind == ChartTarget::Kind::WorkerStep) {
            CHECK(some.front() == rollout->worker_steps[target.id].first);
            CHECK(some.size() == rollout->worker_steps[target.id].end - rollout->worker_steps[target.id].first);
          }
        }
      }
    }
  }
}

TEST_CASE("marks of charts stand for requests: an id may hold every character") {
  HandRollout sketch;
  const std::vector<std::string> ids = {"plain", "a\"b", "a\\", "a\\\"", "x\" || dur>=0 || id==\"y", "'", "a b\n\t(&&)!"};
  for (const std::string& id : ids) sketch.add({.seconds = 1, .id = id});
  const auto rollout = sketch.build();
  for (RequestIx r = 0; r < rollout->size(); ++r) {
    const std::string expression = target_filter(*rollout, Chart(), request_target(r));
    CAPTURE(expression);
    const auto filter = parse_filter(expression);
    REQUIRE(filter.ok());
    CHECK(apply(*rollout, filter.value(), all_requests(*rollout)) == RequestSet{r});
  }
}
