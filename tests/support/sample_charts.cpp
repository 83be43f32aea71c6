#include "tests/support/sample_charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/view/picture/chart_ticks.h"
#include "tests/support/gen_trace.h"

namespace tv::test {
namespace {

using Mark = ChartSeries::Mark;

ChartAxis axis(std::string title, ChartUnit unit) {
  ChartAxis out;
  out.title = std::move(title);
  out.unit = unit;
  return out;
}

ChartSeries series(std::string name, Mark mark, int color) {
  ChartSeries out;
  out.name = std::move(name);
  out.mark = mark;
  out.color = color;
  return out;
}

double normal(Random& random) {
  double sum = 0;
  for (int i = 0; i < 12; ++i) sum += random.unit();
  return sum - 6;
}

std::vector<std::string> numbered(const std::string& name, int n) {
  std::vector<std::string> names;
  for (int i = 1; i <= n; ++i) names.push_back(name + std::to_string(i));
  return names;
}

Chart cdf(bool log) {
  Random random(1);
  Chart chart;
  chart.id = log ? "cdf" : "cdf_linear";
  chart.title = "Duration of requests, turns and tool calls, step 32 (1,024 requests)";
  chart.note =
      "Each event counts once. A quantile lies between the two nearest durations, as numpy.percentile computes it; "
      "the script's summary box is about whole requests.";
  chart.x = axis("duration (s)", ChartUnit::Seconds);
  chart.x.log = log;
  chart.x.field = "duration";
  chart.y = axis("events that took at most as long (%)", ChartUnit::Percent);
  chart.y.least = 0;
  chart.y.most = 100;
  constexpr const char* kNames[] = {"request", "engine call", "tool call", "reward"};
  constexpr double kMiddle[] = {18, 6, 0.9, 0.15}, kSpread[] = {0.5, 0.8, 1.0, 0.6};
  std::vector<double> requests;
  for (std::size_t s = 0; s < 4; ++s) {
    ChartSeries curve = series(kNames[s], Mark::Line, static_cast<int>(s));
    for (int i = 0; i < 1024; ++i) curve.x.push_back(kMiddle[s] * std::exp(kSpread[s] * normal(random)));
    std::sort(curve.x.begin(), curve.x.end());
    for (int i = 0; i < 1024; ++i) curve.y.push_back((i + 1) / 10.24);
    if (s == 0) requests = curve.x;
    chart.series.push_back(std::move(curve));
  }
  for (const double q : {50.0, 80.0, 90.0, 95.0, 99.0, 99.9}) {
    const double at = requests[static_cast<std::size_t>(q / 100 * 1023)];
    chart.rules.push_back({at, true, fmt::format("P{:g} {}", q, chart_number(at, ChartUnit::Seconds)), -1});
  }
  chart.facts = {{"requests", "1,024"}, {"mean", "20.4 s"},  {"median", "17.9 s"},
                 {"std", "11.3 s"},     {"least", "3.51 s"}, {"most", "94.2 s"}};
  return chart;
}

Chart stacked() {
  Random random(2);
  Chart chart;
  chart.id = "phases_per_step";
  chart.title = "Where the time of requests goes, by step";
  chart.x = axis("step", ChartUnit::None);
  chart.x.categories = numbered("", 150);
  chart.x.field = "step";
  chart.y = axis("mean time of a request (s)", ChartUnit::Seconds);
  constexpr const char* kNames[] = {"engine", "tool", "reward", "processing", "pending", "waiting"};
  for (std::size_t s = 0; s < 6; ++s) {
    ChartSeries bars = series(kNames[s], Mark::Bars, s == 5 ? 9 : static_cast<int>(s));
    bars.hatched = s == 5;
    for (int i = 0; i < 150; ++i) {
      bars.x.push_back(i);
      bars.y.push_back((s == 0 ? 12 : 3.0 / static_cast<double>(s)) * (0.7 + 0.6 * random.unit()) * (1 + i / 150.0));
      bars.targets.push_back({ChartTarget::Kind::Step, static_cast<std::uint32_t>(i)});
    }
    chart.series.push_back(std::move(bars));
  }
  chart.facts = {{"steps", "150"}, {"longest", "step 148"}};
  return chart;
}

Chart request_phases() {
  Chart chart;
  chart.id = "request_phases";
  chart.title = "Phases of request 2dbdedb6-96c1-4c25-9a26-5f4f13fb4a3c: 0.58 s, 1 turn, 84 tokens, stop";
  chart.x.categories = {"main loop", "pending state handling", "finalization", "async rollout request complete"};
  chart.y = axis("duration (s)", ChartUnit::Seconds);
  ChartSeries bars = series("", Mark::Bars, 0);
  bars.x = {0, 1, 2, 3};
  bars.y = {0.573, 0.0094, 0.0030, 0.577};
  bars.labels = {"573 ms (99.3%)", "9.4 ms (1.6%)", "3 ms (0.5%)", "577 ms (100%)"};
  chart.series.push_back(bars);
  return chart;
}

Chart horizontal() {
  Random random(3);
  Chart chart;
  chart.id = "slowest_requests";
  chart.title = "The slowest requests";
  chart.horizontal = true;
  chart.x = axis("duration (s)", ChartUnit::Seconds);
  constexpr const char* kNames[] = {"engine", "tool", "waiting"};
  for (int i = 0; i < 16; ++i)
    chart.y.categories.push_back(fmt::format("{:08x}-96c1-4c25-9a26-step {}", random.next() & 0xffffffff, i * 7 + 1));
  for (std::size_t s = 0; s < 3; ++s) {
    ChartSeries bars = series(kNames[s], Mark::Bars, s == 2 ? 9 : static_cast<int>(s));
    bars.hatched = s == 2;
    for (int i = 0; i < 16; ++i) {
      bars.x.push_back(i);
      bars.y.push_back(60.0 / (i + 3) * (0.5 + random.unit()) + 2);
      bars.labels.push_back(fmt::format("{:.1f}", bars.y.back()));
      bars.targets.push_back({ChartTarget::Kind::Request, static_cast<std::uint32_t>(i)});
    }
    chart.series.push_back(std::move(bars));
  }
  return chart;
}

Chart boxes() {
  Random random(4);
  Chart chart;
  chart.id = "workers";
  chart.title = "Duration of requests by worker";
  chart.x = axis("worker", ChartUnit::None);
  chart.x.categories = numbered("worker ", 12);
  chart.y = axis("request duration (s)", ChartUnit::Seconds);
  chart.y.log = true;
  ChartSeries box = series("requests of a worker", Mark::Boxes, 0);
  for (int i = 0; i < 12; ++i) {
    const double middle = 8 + 6 * random.unit();
    box.x.push_back(i);
    for (const double f : {0.2, 0.7, 1.0, 1.5, 4.0}) box.y.push_back(middle * f * (0.9 + 0.2 * random.unit()));
  }
  chart.series.push_back(box);
  chart.rules.push_back({11, false, "mean of all 11 s", -1});
  return chart;
}

Chart heat() {
  Random random(5);
  Chart chart;
  chart.id = "worker_steps";
  chart.title = "Time of each worker in each step";
  chart.x = axis("step", ChartUnit::None);
  chart.x.categories = numbered("", 150);
  chart.y = axis("worker", ChartUnit::None);
  chart.y.categories = numbered("worker ", 8);
  chart.cells = ChartCells{"time (s)", {}, {}};
  for (int row = 0; row < 8; ++row) {
    for (int column = 0; column < 150; ++column) {
      const double value = 20 + column * 0.1 + 8 * random.unit() + (row == 5 && column > 60 && column < 90 ? 25 : 0);
      chart.cells->value.push_back(random.chance(0.02) ? std::nan("") : value);
      chart.cells->targets.push_back({ChartTarget::Kind::WorkerStep, static_cast<std::uint32_t>(row * 150 + column)});
    }
  }
  return chart;
}

Chart small_heat() {
  Chart chart = heat();
  chart.id = "worker_steps_few";
  chart.x.categories.resize(10);
  auto& value = chart.cells->value;
  for (std::size_t row = 1; row < 8; ++row) {
    for (std::size_t column = 0; column < 10; ++column)
      value[row * 10 + column] = std::round(value[row * 150 + column] * 10) / 10;
  }
  for (std::size_t column = 0; column < 10; ++column) value[column] = std::round(value[column] * 10) / 10;
  value.resize(80);
  chart.cells->targets.resize(80);
  return chart;
}

Chart scatter() {
  Random random(6);
  Chart chart;
  chart.id = "tokens_and_time";
  chart.title = "Tokens and duration of requests (4,096)";
  chart.x = axis("generated tokens", ChartUnit::Tokens);
  chart.y = axis("duration (s)", ChartUnit::Seconds);
  constexpr const char* kNames[] = {"stop", "length", "tool calls"};
  for (int s = 0; s < 3; ++s) {
    ChartSeries dots = series(kNames[s], Mark::Dots, s);
    for (int i = 0; i < (s == 0 ? 3000 : 548); ++i) {
      const double tokens = s == 1 ? 8192 : std::min(8192.0, std::round(900 * std::exp(0.8 * normal(random))));
      dots.x.push_back(tokens);
      dots.y.push_back(tokens * 0.004 * (0.8 + 0.5 * random.unit()) + (s == 2 ? 6 : 1));
      dots.targets.push_back({ChartTarget::Kind::Request, static_cast<std::uint32_t>(s * 10000 + i)});
    }
    chart.series.push_back(std::move(dots));
  }
  chart.facts = {{"requests", "4,096"}, {"correlation", "0.97"}};
  return chart;
}

Chart two_axes() {
  Random random(7);
  Chart chart;
  chart.id = "throughput";
  chart.title = "Duration and throughput of steps";
  chart.x = axis("step", ChartUnit::Count);
  chart.y = axis("duration of the step (s)", ChartUnit::Seconds);
  chart.y2 = axis("throughput (tokens/s)", ChartUnit::TokensPerSecond);
  chart.y2->from_zero = true;
  chart.on_y2 = {2};
  ChartSeries bars = series("duration", Mark::Bars, 0), mean = series("P25 to P75 of requests", Mark::Span, 1),
              line = series("throughput", Mark::LineAndDots, 5);
  bars.faint = true;
  for (int i = 1; i <= 40; ++i) {
    bars.x.push_back(i);
    bars.y.push_back(60 + i + 20 * random.unit());
    mean.x.push_back(i);
    mean.y.push_back(bars.y.back() * 0.3);
    mean.y.push_back(bars.y.back() * (0.5 + 0.2 * random.unit()));
    line.x.push_back(i);
    line.y.push_back(i == 20 || i == 21 ? std::nan("") : 30'000 + 300 * i + 8'000 * random.unit());
  }
  chart.series = {bars, mean, line};
  return chart;
}

Chart lines() {
  Chart chart;
  chart.id = "key_events";
  chart.title = "Share of key events in the time of a step";
  chart.x = axis("step", ChartUnit::Count);
  chart.y = axis("of the step's time (%)", ChartUnit::Percent);
  constexpr const char* kNames[] = {"async_generate", "preprocessing", "barrier_wait"};
  constexpr double kValues[3][4] = {{67.2, 58.4, 61.5, 54.5}, {25, 23.2, 26.3, 27.6}, {5.4, 16, 9.6, 15.5}};
  for (int s = 0; s < 3; ++s) {
    ChartSeries line = series(kNames[s], Mark::LineAndDots, s);
    line.x = {1, 2, 3, 4};
    line.y.assign(kValues[s], kValues[s] + 4);
    for (const double y : line.y) line.labels.push_back(fmt::format("{:g}%", y));
    chart.series.push_back(line);
  }
  return chart;
}

Chart side_by_side() {
  Chart chart;
  chart.id = "step_to_step";
  chart.title = "Time of key events, this step and the next";
  chart.side_by_side = true;
  chart.x.categories = {"generate_sequences", "reward", "old_log_prob", "update_actor", "update_weights", "testing"};
  chart.y = axis("time (s)", ChartUnit::Seconds);
  constexpr const char* kNames[] = {"step 1", "step 2", "step 3"};
  for (int s = 0; s < 3; ++s) {
    ChartSeries bars = series(kNames[s], Mark::Bars, s);
    for (int i = 0; i < 6; ++i) {
      bars.x.push_back(i);
      bars.y.push_back(i == 5 ? -2.0 - s : 30.0 / (i + 1) + 3 * s);
      bars.labels.push_back(fmt::format("{:.1f}", bars.y.back()));
    }
    chart.series.push_back(bars);
  }
  return chart;
}

Chart gantt() {
  Chart chart;
  chart.id = "worker_timeline";
  chart.title = "What workers do during step 3";
  chart.horizontal = true;
  chart.x = axis("time since the step's begin (s)", ChartUnit::Seconds);
  chart.y.categories = numbered("worker ", 8);
  ChartSeries busy = series("generating", Mark::Span, 0), wait = series("waiting for others", Mark::Span, 9);
  wait.hatched = true;
  for (int i = 0; i < 8; ++i) {
    busy.x.push_back(i);
    busy.y.push_back(0.5 + 0.1 * i);
    busy.y.push_back(30 + 7.0 * ((i * 5) % 8));
    busy.labels.push_back(chart_number(busy.y.back() - 0.5 - 0.1 * i, ChartUnit::Seconds));
    wait.x.push_back(i);
    wait.y.push_back(busy.y.back());
    wait.y.push_back(80);
  }
  chart.series = {busy, wait};
  return chart;
}

}  // namespace

std::vector<Chart> sample_charts() {
  Chart nothing;
  nothing.id = "nothing";
  nothing.title = "Reward by step";
  nothing.empty = "No request of the selection has a reward. Logs of verl before 0.4 do not write any.";
  return {cdf(true),    cdf(false), stacked(),  request_phases(), horizontal(),   boxes(), heat(),
          small_heat(), scatter(),  two_axes(), lines(),          side_by_side(), gantt(), nothing};
}

std::vector<Chart> odd_charts() {
  constexpr double kNan = NAN, kInfinity = INFINITY;
  const std::vector<std::vector<double>> values = {{},
                                                   {0},
                                                   {5},
                                                   {5, 5, 5},
                                                   {kNan},
                                                   {kInfinity, -kInfinity, kNan},
                                                   {1, kNan, 3, kInfinity, 5},
                                                   {-3, -2, 0},
                                                   {0, 0, 0},
                                                   {1e308, -1e308, 1e300},
                                                   {5e-324, 0},
                                                   {1e-300, 1e300},
                                                   {1e15, 1e15 + 1},
                                                   {-1e-9, 1e-9},
                                                   {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}};
  std::vector<Chart> charts;
  for (const bool log : {false, true}) {
    for (const Mark mark : {Mark::Line, Mark::Dots, Mark::LineAndDots, Mark::Bars, Mark::Boxes, Mark::Span}) {
      for (const auto& y : values) {
        for (int variant = 0; variant < 4; ++variant) {
          Chart chart;
          chart.id = "odd";
          chart.title =
              "Odd data, with a title that is longer than any picture is wide, so it must be shortened somewhere";
          chart.horizontal = variant == 1;
          chart.side_by_side = variant == 2;
          chart.x = axis("x", ChartUnit::Seconds);
          chart.y = axis("y", ChartUnit::Count);
          chart.x.log = log;
          chart.y.log = log;
          if (variant == 3) chart.x.categories = {"one", "", "three\n\xff"};
          ChartSeries odd = series("a series", mark, 3);
          odd.y = y;
          odd.x = y;
          if (mark == Mark::Boxes || mark == Mark::Span) odd.x = {1, kNan, 3};
          odd.labels = {"label"};
          odd.targets = {{ChartTarget::Kind::Request, 7}};
          chart.series = {odd, odd};
          chart.rules = {
              {kNan, true, "nan", 0}, {3, true, "three", 1}, {kInfinity, false, "inf", 2}, {5, false, "five", 3}};
          chart.facts = {{"n", "3"}};
          charts.push_back(std::move(chart));
        }
      }
    }
  }
  Chart cells;
  cells.id = "odd_cells";
  cells.x.categories = {"a", "b"};
  cells.y.categories = {"c"};
  for (const auto& value : values) {
    cells.cells = ChartCells{"v", value, {}};
    charts.push_back(cells);
  }
  return charts;
}

}  // namespace tv::test
