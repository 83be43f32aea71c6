// Labels of bars: all of a kind or none, and none over another or over a bar that is not its own.
#include <doctest/doctest.h>

#include <algorithm>

#include "core/view/picture/chart_picture.h"
#include "tests/support/gen_trace.h"

using namespace tv;
using namespace tv::test;

namespace {

Chart bar_chart(Random& random, bool side_by_side) {
  Chart chart;
  chart.id = "bars";
  chart.title = "Bars";
  chart.side_by_side = side_by_side;
  chart.horizontal = random.chance(0.5);
  ChartAxis& along = chart.horizontal ? chart.y : chart.x;
  (chart.horizontal ? chart.x : chart.y).from_zero = true;
  const auto bars = random.in(1, 12);
  for (std::int64_t i = 0; i < bars; ++i) along.categories.push_back("c" + std::to_string(i));
  for (std::int64_t s = random.in(1, 3); s > 0; --s) {
    ChartSeries series;
    series.name = "s" + std::to_string(s);
    series.mark = ChartSeries::Mark::Bars;
    for (std::int64_t i = 0; i < bars; ++i) {
      series.x.push_back(static_cast<double>(i));
      series.y.push_back(static_cast<double>(random.in(1, 100)));
      series.labels.push_back("<" + std::to_string(s) + std::string(static_cast<std::size_t>(random.in(1, 8)), '#') +
                              ">");
    }
    chart.series.push_back(std::move(series));
  }
  return chart;
}

}  // namespace

TEST_CASE("chart_bar_labels: every bar has its label or none of its kind, and none lies over another") {
  std::size_t with = 0, without = 0;
  for (const std::uint64_t seed : seeds(60)) {
    CAPTURE(seed);
    Random random(seed);
    const bool side_by_side = random.chance(0.5);
    const Chart chart = bar_chart(random, side_by_side);
    ChartFrame frame;
    frame.width = static_cast<float>(random.in(220, 1200));
    frame.height = static_cast<float>(random.in(160, 700));
    const ChartPicture picture = chart_picture(chart, frame);
    std::vector<ChartBox> taken;
    std::size_t of_all = 0;
    for (const ChartSeries& series : chart.series) {
      std::size_t found = 0;
      for (const ChartShape& shape : picture.shapes) {
        if (shape.kind != ChartShape::Kind::Text) continue;
        const std::string_view text = picture.text(shape);
        if (!text.starts_with("<" + series.name.substr(1)) || !text.ends_with(">")) continue;
        ++found;
        for (const ChartBox& other : taken) REQUIRE_FALSE(other.overlaps(shape.box));
        taken.push_back(shape.box);
      }
      REQUIRE((found == 0 || found == series.labels.size()));
      of_all += found;
      ++(found > 0 ? with : without);
    }
    if (side_by_side) REQUIRE((of_all == 0 || of_all == chart.series.size() * chart.series[0].labels.size()));
  }
  CHECK(with > rounds(60) / 6);
  CHECK(without > rounds(60) / 6);
}
