// Bar labels: all bars of a series have one or none does, except slivers in stacks; labels do not overlap.
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

// Bars that are too short for any label. In a stack they have none, even if the larger bars of their series are labelled.
std::size_t slivers(const ChartPicture& picture, const Chart& chart, std::int32_t series) {
  return static_cast<std::size_t>(std::ranges::count_if(picture.hits, [&](const ChartHit& hit) {
    return hit.series == series && (chart.horizontal ? hit.box.width() : hit.box.height()) < picture.font + 2;
  }));
}

}  // namespace

TEST_CASE("chart_bar_labels: a series labels all its bars except slivers, or none, and labels do not overlap") {
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
    for (std::size_t s = 0; s < chart.series.size(); ++s) {
      const ChartSeries& series = chart.series[s];
      std::size_t found = 0;
      for (const ChartShape& shape : picture.shapes) {
        if (shape.kind != ChartShape::Kind::Text) continue;
        const std::string_view text = picture.text(shape);
        if (!text.starts_with("<" + series.name.substr(1)) || !text.ends_with(">")) continue;
        ++found;
        for (const ChartBox& other : taken) REQUIRE_FALSE(other.overlaps(shape.box));
        taken.push_back(shape.box);
      }
      const bool stacked = !side_by_side && chart.series.size() > 1;
      const std::size_t small = stacked ? slivers(picture, chart, static_cast<std::int32_t>(s)) : 0;
      REQUIRE((found == 0 || found == series.labels.size() - small));
      of_all += found;
      ++(found > 0 ? with : without);
    }
    if (side_by_side) REQUIRE((of_all == 0 || of_all == chart.series.size() * chart.series[0].labels.size()));
  }
  CHECK(with > rounds(60) / 6);
  CHECK(without > rounds(60) / 6);
}

TEST_CASE("chart_bar_labels: a sliver in a stack does not suppress the labels of its series") {
  for (const bool horizontal : {false, true}) {
    CAPTURE(horizontal);
    for (const double small : {0.002, 0.3}) {  // a sliver, and a visible part whose label is too long
      CAPTURE(small);
      Chart chart;
      chart.id = "bars";
      chart.title = "Bars";
      chart.horizontal = horizontal;
      (horizontal ? chart.y : chart.x).categories = {"first", "second"};
      (horizontal ? chart.x : chart.y).from_zero = true;
      for (const auto& [name, values] : {std::pair("busy", std::vector{1 - small, small}), std::pair("idle", std::vector{small, 1 - small})}) {
        ChartSeries series;
        series.name = name;
        series.mark = ChartSeries::Mark::Bars;
        series.x = {0, 1};
        series.y = values;
        for (const double value : values) series.labels.push_back(value > 0.5 ? "large" : small > 0.1 ? std::string(200, '#') : "small");
        chart.series.push_back(std::move(series));
      }
      ChartFrame frame;
      frame.width = frame.height = 500;
      const ChartPicture picture = chart_picture(chart, frame);
      const auto count = [&](std::string_view text) {
        return std::ranges::count_if(picture.shapes, [&](const ChartShape& shape) {
          return shape.kind == ChartShape::Kind::Text && picture.text(shape) == text;
        });
      };
      CHECK(count("large") == (small < 0.1 ? 2 : 0));
      CHECK(count("small") == 0);
    }
  }
}
