#include "core/view/picture/chart_readout.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/view/picture/chart_picture.h"

using namespace tv;

TEST_CASE("chart_readout: a value between two points is interpolated as the line is drawn") {
  ChartSeries line;
  line.x = {1, 2, 2, 4};
  line.y = {10, 20, 30, 50};
  CHECK(chart_value_at(line, 1) == 10);
  CHECK(chart_value_at(line, 1.5) == 15);
  CHECK(chart_value_at(line, 2) == 30);
  CHECK(chart_value_at(line, 3) == 40);
  CHECK(chart_value_at(line, 4) == 50);
  CHECK(!chart_value_at(line, 0.5));
  CHECK(!chart_value_at(line, 4.5));
  CHECK(!chart_value_at(line, NAN));
  line.y[3] = NAN;
  CHECK(!chart_value_at(line, 3));
  ChartSeries log;
  log.x = {1, 100};
  log.y = {1, 3};
  CHECK(*chart_value_at(log, 10, true) == doctest::Approx(2));

  Chart chart;
  ChartSeries& drawn = chart.series.emplace_back();
  drawn.name = chart.id = "line";
  drawn.x = {0, 100};
  drawn.y = {0, 10};
  chart.x.title = "time (s)";
  chart.x.unit = ChartUnit::Seconds;
  const ChartPicture picture = chart_picture(chart, {600, 300});
  const ChartReadout readout = chart_readout(chart, picture, {}, picture.x.px(50));
  REQUIRE(readout.lines.size() == 1);
  CHECK(readout.lines[0].value == doctest::Approx(5));
  CHECK(readout.lines[0].y == doctest::Approx(picture.y.px(5)));
  CHECK(chart_readout(chart, picture, {true}, picture.x.px(50)).lines.empty());
}
