// Checks on every chart of every readable input: fixtures, the sample, a console log with many parts.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "core/analysis/run/run_data.h"
#include "core/session/load/load_job.h"
#include "core/view/charts/chart_kinds.h"
#include "core/view/color/chart_palette.h"
#include "core/view/color/palette.h"
#include "core/view/picture/chart_picture.h"
#include "tests/read/fixture_cases.h"
#include "tests/support/chart_check.h"
#include "tests/support/gen_trace.h"
#include "tests/support/temp_dir.h"

using namespace tv;
using namespace tv::test;

namespace {

// Every tenth step also tests and saves, which gives peaks.
std::string console_log(int steps) {
  std::string text;
  for (int k = 1; k <= steps; ++k) {
    std::string line = "(TaskRunner pid=4100) step:" + std::to_string(k) + " - actor/entropy:0.3";
    double total = 0;
    const auto part = [&](const char* name, double seconds) {
      total += seconds;
      line += std::string(" - timing_s/") + name + ":" + std::to_string(seconds);
    };
    part("gen", 30 + k % 4);
    for (const char* const name : {"reward", "old_log_prob", "ref", "values", "adv", "update_critic", "update_actor",
                                   "update_weights", "my_own_part"}) {
      part(name, 1 + k % 3);
    }
    if (k % 10 == 0) {
      part("testing", 60);
      part("save_checkpoint", 25);
    }
    line += " - timing_s/step:" + std::to_string(total) + " - perf/time_per_step:" + std::to_string(total);
    text += line + " - perf/throughput:" + std::to_string(50000 / total) + "\n";
  }
  return text;
}

using WithRun = std::function<void(const std::string& name, const Trace& trace, const RunData& data)>;

void for_each_run(const WithRun& look) {
  const TempDir folder;
  folder.write("console.log", console_log(60));
  std::vector<std::string> paths = {folder.path("console.log"), source_dir() + "/assets/samples/rl_run"};
  for (const FixtureCase& fixture : fixture_cases()) paths.push_back(fixture.path);
  for (const std::string& path : paths) {
    const auto snapshot = load_snapshot({path}, test_pool(), LoadOptions());
    const RunData data = analyse_run(snapshot->trace, test_pool());
    if (!data.empty()) look(path, *snapshot->trace, data);
  }
}

void for_each_chart(const std::function<void(const Trace& trace, const Chart& chart)>& look) {
  for_each_run([&](const std::string& name, const Trace& trace, const RunData& data) {
    CAPTURE(name);
    for (const ChartKind& kind : chart_kinds()) {
      if (!data.has(kind.of)) continue;
      for (const bool as_script : {false, true}) {
        if (as_script && !kind.differs_as_script) continue;
        ChartQuestion question = data.rollout ? about_all(*data.rollout) : ChartQuestion();
        question.as_script = as_script;
        for (const Chart& chart : make_charts(kind, data, question)) {
          CAPTURE(chart.id);
          look(trace, chart);
        }
      }
    }
  });
}

Rgba drawn_color(const ChartSeries& series, ThemeKind theme) { return chart_color(series.color, theme); }

}  // namespace

TEST_CASE("all charts: every rollout chart has a note, titled axes and targets that exist") {
  std::size_t looked_at = 0;
  for_each_run([&](const std::string& name, const Trace&, const RunData& data) {
    if (!data.rollout) return;
    CAPTURE(name);
    for (const ChartKind& kind : chart_kinds()) {
      if (kind.of != RunPart::Rollout) continue;
      for (const Chart& chart : make_charts(kind, data, about_all(*data.rollout))) {
        CAPTURE(chart.id);
        CHECK(flaw(*data.rollout, chart) == "");
        ++looked_at;
      }
    }
  });
  CHECK(looked_at > 100);
}

TEST_CASE("all charts: colours are unique within a chart and contrast with the background") {
  std::size_t looked_at = 0;
  for_each_chart([&](const Trace&, const Chart& chart) {
    for (const ThemeKind theme : {ThemeKind::Dark, ThemeKind::Light}) {
      std::set<Rgba> seen;
      for (const ChartSeries& series : chart.series) {
        CAPTURE(series.name);
        CHECK(contrast(drawn_color(series, theme), chart_ink(theme).background) >= 3);
        if (series.name.empty()) continue;
        CHECK(seen.insert(drawn_color(series, theme)).second);
        ++looked_at;
      }
    }
  });
  CHECK(looked_at > 500);
}

TEST_CASE("all charts: parts of steps and phases of workers have the colours of the timeline") {
  std::size_t looked_at = 0;
  for_each_run([&](const std::string& name, const Trace& trace, const RunData& data) {
    CAPTURE(name);
    for (const ChartKind& kind : chart_kinds()) {
      if (!data.has(kind.of) || (kind.id != "training" && kind.id != "workers")) continue;
      const ChartQuestion question = data.rollout ? about_all(*data.rollout) : ChartQuestion();
      const std::vector<Chart> charts = make_charts(kind, data, question);
      if (charts.empty()) continue;
      for (std::size_t l = 0; l < trace.labels.size(); ++l) {
        const auto label = id_at<LabelId>(l);
        const std::string_view category = trace.labels.category(label);
        const bool phase = kind.id == "workers" && (category == "phase" || category == "wait");
        if (!phase && !(kind.id == "training" && category == "training")) continue;
        for (const ChartSeries& series : charts.front().series) {
          const std::string full = phase ? series.name + "_duration" : series.name;
          if (full != trace.labels.name(label)) continue;
          CAPTURE(full);
          CHECK(chart_color(series.color, ThemeKind::Dark) == color_of(category, full, ThemeKind::Dark));
          CHECK(chart_color(series.color, ThemeKind::Light) == color_of(category, full, ThemeKind::Light));
          ++looked_at;
        }
      }
    }
  });
  CHECK(looked_at > 30);
}

namespace {

// The facts box: the last rectangle in the box colour that is not clipped to the plot but lies inside it.
const ChartBox* facts_box(const ChartPicture& picture) {
  const ChartBox* found = nullptr;
  for (const ChartShape& shape : picture.shapes) {
    const bool inside = shape.box.x0 > picture.plot.x0 && shape.box.x1 < picture.plot.x1 &&
                        shape.box.y0 > picture.plot.y0 && shape.box.y1 < picture.plot.y1;
    if (shape.kind == ChartShape::Kind::Rect && shape.series < 0 && !shape.clipped && inside &&
        shape.color == with_alpha(chart_ink(picture.theme).box, 235)) {
      found = &shape.box;
    }
  }
  return found;
}

// Lines and bands are sampled every two pixels.
bool meets(const ChartPicture& picture, const ChartShape& shape, const ChartBox& box) {
  if (!shape.clipped || shape.series < 0) return false;
  const auto points = picture.points_of(shape);
  switch (shape.kind) {
    case ChartShape::Kind::Rect:
    case ChartShape::Kind::Hatch:
    case ChartShape::Kind::Text:
      return shape.box.overlaps(box);
    case ChartShape::Kind::Dots:
      return std::ranges::any_of(points, [&](ChartPoint p) {
        return box.overlaps({p.x - shape.size, p.y - shape.size, p.x + shape.size, p.y + shape.size});
      });
    case ChartShape::Kind::Band:
    case ChartShape::Kind::Line:
      break;
  }
  const std::size_t step = shape.kind == ChartShape::Kind::Band ? 2 : 1;
  for (std::size_t i = 0; i + step < points.size(); ++i) {
    const float dx = points[i + step].x - points[i].x, dy = points[i + step].y - points[i].y;
    const int parts = static_cast<int>(std::hypot(dx, dy) / 2) + 1;
    for (int k = 0; k <= parts; ++k) {
      const float part = static_cast<float>(k) / static_cast<float>(parts);
      if (box.contains(points[i].x + dx * part, points[i].y + dy * part)) return true;
    }
  }
  return false;
}

}  // namespace

TEST_CASE("all charts: the facts box covers no mark") {
  std::size_t boxes = 0;
  for_each_chart([&](const Trace&, const Chart& chart) {
    for (const auto& [wide, high] : {std::pair{1000.0f, 560.0f}, {620.0f, 300.0f}, {420.0f, 240.0f}}) {
      const ChartPicture picture = chart_picture(chart, {wide, high});
      const ChartBox* const box = facts_box(picture);
      if (!box) continue;
      ++boxes;
      const bool over =
          std::ranges::any_of(picture.shapes, [&](const ChartShape& shape) { return meets(picture, shape, *box); });
      CHECK(!over);
    }
  });
  CHECK(boxes > 20);
}

TEST_CASE("charts: the reading of verl's scripts is offered for verl's logs only") {
  std::size_t offered = 0, not_offered = 0;
  for_each_run([&](const std::string& name, const Trace& trace, const RunData& data) {
    CAPTURE(name);
    const bool of_verl = std::ranges::any_of(trace.sources, [](const SourceInfo& s) { return s.format.starts_with("verl"); });
    for (const ChartKind& kind : chart_kinds()) {
      if (!data.has(kind.of) || !kind.differs_as_script) continue;
      CHECK(kind.has_two_readings(data) == of_verl);
      (of_verl ? offered : not_offered) += 1;
    }
  });
  CHECK(offered > 0);
  CHECK(not_offered > 0);
}
