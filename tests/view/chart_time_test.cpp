// The pointer marks the same time in lanes and charts.
#include "core/view/picture/chart_time.h"

#include <doctest/doctest.h>

using namespace tv;

TEST_CASE("chart_time: an axis of seconds maps to trace time and back, other axes do not") {
  Chart chart;
  CHECK(!chart_x_of_time(chart, 5));
  CHECK(!time_of_chart_x(chart, 5));
  chart.time = ChartTime{2e9, 1e9, {}};  // the step began 2 s after the trace
  CHECK(*chart_x_of_time(chart, 3.5e9) == doctest::Approx(1.5));
  CHECK(*time_of_chart_x(chart, 1.5) == doctest::Approx(3.5e9));
}

TEST_CASE("chart_time: an axis of steps maps a time to its step, and a step to its begin") {
  ChartTime steps;
  steps.stretches = {{7, {100, 200}}, {8, {250, 400}}};
  Chart chart;
  chart.time = steps;
  CHECK(*chart_x_of_time(chart, 120) == 7);
  CHECK(*chart_x_of_time(chart, 399) == 8);
  CHECK(!chart_x_of_time(chart, 220));  // between steps
  CHECK(*time_of_chart_x(chart, 7.3) == 100);
  CHECK(*time_of_chart_x(chart, 9) == 250);
}
