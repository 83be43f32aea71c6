// Charts of pipelines show the numbers of the analysis, for one run and for several.
#include "core/view/charts/training/charts_pipeline.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "core/session/load/load_job.h"
#include "core/view/chart/chart_csv.h"
#include "core/view/picture/chart_svg.h"
#include "tests/support/chart_check.h"
#include "tests/support/gen_pipeline.h"

using namespace tv;
using namespace tv::test;

namespace {

std::vector<PipelineSummary> runs_of(const TempDir& folder) {
  return pipeline_summaries(load_snapshot({folder.path()}, test_pool())->trace->pipeline);
}

}  // namespace

TEST_CASE("charts of a pipeline: charts are well formed and show the numbers of the analysis") {
  for (const std::uint64_t seed : seeds(25)) {
    CAPTURE(seed);
    Random random(seed);
    const TempDir folder;
    const int count = static_cast<int>(random.in(1, 2));
    for (int run = 0; run < count; ++run) write_logs(folder, "run" + std::to_string(run), random_plan(random), 2);
    const auto runs = runs_of(folder);
    REQUIRE(runs.size() == static_cast<std::size_t>(count));
    const auto charts = pipeline_charts(runs, {});
    REQUIRE(charts.size() == 4 * runs.size());
    for (const Chart& chart : charts) {
      CAPTURE(chart.id);
      CHECK(flaw(Rollout(), chart) == "");
      CHECK(std::ranges::count(charts, chart.id, &Chart::id) == 1);
    }
    for (std::size_t r = 0; r < runs.size(); ++r) {
      const Chart &lines = charts[4 * r], &stages = charts[4 * r + 1], &map = charts[4 * r + 2];
      const PipelineStepSummary& longest = runs[r].steps[step_looked_at(runs[r], {})];
      for (const PipelineStepSummary& step : runs[r].steps) CHECK(step.span.length() <= longest.span.length());
      for (std::size_t stage = 0; stage < runs[r].stages.size(); ++stage) {
        CHECK(lines.series[stage].name == runs[r].stages[stage]);
        for (std::size_t s = 0; s < runs[r].steps.size(); ++s) {
          const StageStep& at = runs[r].steps[s].stages[stage];
          CHECK(lines.series[stage].x[s] == static_cast<double>(runs[r].steps[s].number));
          CHECK(lines.series[stage].y[s] == doctest::Approx(100 * at.compute_bubble));
          CHECK(map.cells->value[stage * runs[r].steps.size() + s] == doctest::Approx(100 * at.bubble));
        }
        // In each step, the parts of all stages add up to its length.
        for (std::size_t step = 0; step < runs[r].steps.size(); ++step) {
          const PipelineStepMean mean = mean_of(runs[r].steps[step]);
          CHECK(mean.forward + mean.backward + mean.other + mean.idle ==
                doctest::Approx(to_seconds(runs[r].steps[step].span.length())));
          CHECK(mean.idle == doctest::Approx(runs[r].steps[step].bubble * to_seconds(runs[r].steps[step].span.length())));
          double drawn = 0;
          for (const ChartSeries& part : charts[4 * r + 3].series) drawn += part.y[step];
          CHECK(drawn == doctest::Approx(to_seconds(runs[r].steps[step].span.length())));
        }
        // A bar is as long as the step.
        double length = 0;
        for (const ChartSeries& part : stages.series) length += part.y[stage];
        CHECK(length == doctest::Approx(static_cast<double>(longest.span.length()) / 1e9));
        CHECK(stages.table->rows[stage][0] == runs[r].stages[stage]);
      }
    }
  }
}

TEST_CASE("charts of a pipeline: the requested step is shown, and many stages are drawn as a range") {
  const TempDir folder;
  PipelinePlan plan;
  plan.stages = 12;
  plan.steps = 3;
  plan.first_step = 20;
  write_logs(folder, "run", plan);
  const auto runs = runs_of(folder);
  CHECK(step_looked_at(runs[0], 21) == 1);
  CHECK(step_looked_at(runs[0], 7) == 0);
  CHECK(step_looked_at(runs[0], 70) == 2);
  const auto charts = pipeline_charts(runs, 22);
  CHECK(charts[1].title == "Stages in step 22, run");
  CHECK(charts[0].series.size() == 3);
  REQUIRE(charts[0].rules.size() == 1);
  CHECK(charts[0].rules[0].at == doctest::Approx(100.0 * 11 / 19));
  CHECK(pipeline_charts({}, {}).front().empty != "");
  // A view file may set any number.
  RunData data;
  data.pipelines = std::make_shared<const std::vector<PipelineSummary>>(runs);
  const auto title_at = [&](const char* step) {
    ChartQuestion question;
    question.settings.set(kPipelineStep, step);
    return charts_of_pipelines(data, question)[1].title;
  };
  CHECK(title_at("21") == "Stages in step 21, run");
  CHECK(title_at("1e300") == "Stages in step 22, run");
  CHECK(title_at("-1e300") == "Stages in step 20, run");
}
