#include "core/view/picture/chart_picture.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "tests/support/gen_trace.h"
#include "tests/support/sample_charts.h"
#include "tests/view/drawn_chart.h"

using namespace tv;
using namespace tv::test;

using Kind = ChartShape::Kind;

TEST_CASE("chart_picture: sample and odd charts stay within the picture at every size") {
  std::vector<Chart> charts = sample_charts();
  for (Chart& chart : odd_charts()) charts.push_back(std::move(chart));
  for (const Chart& chart : charts) {
    CAPTURE(chart.id);
    for (const auto& [wide, high] : {std::pair{1000.0f, 560.0f}, {320.0f, 180.0f}, {40.0f, 30.0f}, {1.0f, 400.0f}}) {
      for (const bool note_below : {false, true}) {
        const float width = wide, height = high;  // clang 14 does not capture bindings
        CAPTURE(width);
        ChartFrame frame{width, height};
        frame.note_below = note_below;
        CHECK(objection(chart_picture(chart, frame)) == "");
      }
    }
  }
  for (const float size : {0.0f, -5.0f, NAN, INFINITY}) {
    const ChartPicture picture = chart_picture(charts[0], {size, 100, size});
    CHECK(objection(picture) == "");
    CHECK(std::isfinite(picture.width));
  }
}

TEST_CASE("chart_picture: texts do not overlap") {
  for (const Chart& chart : sample_charts()) {
    for (const auto& [wide, high] : {std::pair{1000.0f, 560.0f}, {700.0f, 320.0f}, {420.0f, 240.0f}, {900.0f, 150.0f}, {420.0f, 165.0f}}) {
      for (const float font : {13.0f, 15.0f}) {
        CAPTURE(chart.id);
        const float width = wide, height = high;
        CAPTURE(width);
        const ChartPicture picture = chart_picture(chart, {width, height, font});
        const auto all = texts(picture);
        for (std::size_t a = 0; a < all.size(); ++a) {
          for (std::size_t b = a + 1; b < all.size(); ++b) {
            ChartBox smaller = all[b].box;  // axis labels may touch
            smaller.y0 += font * 0.15f;
            smaller.y1 -= font * 0.15f;
            CHECK_MESSAGE(!all[a].box.overlaps(smaller), picture.text(all[a]), " and ", picture.text(all[b]));
          }
        }
      }
    }
  }
}

TEST_CASE("chart_picture: names of rules close together do not overlap") {
  for (const std::uint64_t seed : seeds()) {
    Random random(seed);
    Chart chart = line_of({0, 100}, {0, 1});
    const double middle = random.unit() * 100, spread = std::pow(10.0, random.unit() * 4 - 2);
    for (const char* name : {"P50 12.3 s", "P80 23.4 s", "P90 34.5 s", "P95 45.6 s", "P99 56.7 s", "P99.9 67.8 s"}) {
      chart.rules.push_back({std::clamp(middle + spread * random.unit(), 0.0, 100.0), random.chance(0.8), name, 1});
    }
    const ChartPicture picture = chart_picture(chart, {static_cast<float>(random.in(300, 1200)), 500});
    CAPTURE(seed);
    std::vector<ChartBox> names;
    for (const ChartRule& rule : chart.rules) {
      const ChartShape* name = text(picture, rule.text);
      if (!name) continue;
      REQUIRE(rule.vertical == (name->box.y1 <= picture.plot.y0));
      for (const ChartBox& other : names) REQUIRE(!other.overlaps(name->box));
      names.push_back(name->box);
    }
    REQUIRE(names.size() >= 4);
  }
}

TEST_CASE("chart_picture: the legend is outside the plot, and its entries name their series") {
  for (const Chart& chart : sample_charts()) {
    CAPTURE(chart.id);
    const ChartPicture picture = chart_picture(chart, {900, 400});
    for (const ChartLegendEntry& entry : picture.legend) {
      CHECK(!entry.box.overlaps(picture.plot));
      REQUIRE(static_cast<std::size_t>(entry.series) < chart.series.size());
      const std::string& name = chart.series[static_cast<std::size_t>(entry.series)].name;
      const ChartShape* shape = text(picture, name);
      REQUIRE(shape);
      CHECK(entry.box.overlaps(shape->box));
    }
  }
}

TEST_CASE("chart_picture: a mark is hit where it is drawn") {
  std::size_t checked = 0;
  for (const Chart& chart : sample_charts()) {
    CAPTURE(chart.id);
    const ChartPicture picture = chart_picture(chart, {1000, 560});
    for (const ChartHit& hit : picture.hits) {
      const auto& targets =
          hit.series < 0 ? chart.cells->targets : chart.series[static_cast<std::size_t>(hit.series)].targets;
      const ChartTarget target = hit.index < targets.size() ? targets[hit.index] : ChartTarget();
      REQUIRE(hit.target == target);
      const float x = (hit.box.x0 + hit.box.x1) / 2, y = (hit.box.y0 + hit.box.y1) / 2;
      const ChartHit* found = picture.hit_at(x, y, 2);
      REQUIRE(found);
      if (!hit.round && !found->round) REQUIRE(found->target == target);
      ++checked;
    }
  }
  CHECK(checked > 3000);
  const ChartPicture empty = chart_picture(Chart(), {400, 300});
  CHECK(empty.hit_at(10, 10, 100) == nullptr);
}

TEST_CASE("chart_picture: many points are thinned, extremes stay") {
  std::vector<double> x, y;
  Random random(3);
  for (int i = 0; i < 100'000; ++i) {
    x.push_back(i);
    y.push_back(random.unit());
  }
  y[33'333] = 7;
  y[77'777] = -5;
  const Chart chart = line_of(x, y);
  const ChartPicture picture = chart_picture(chart, {800, 400});
  CHECK(picture.points.size() < 800 * 4 + 100);
  const auto has = [&](double at, double value) {
    const ChartPoint p{picture.x.px(at), picture.y.px(value)};
    return std::any_of(picture.points.begin(), picture.points.end(),
                       [&](ChartPoint q) { return std::fabs(p.x - q.x) < 1 && std::fabs(p.y - q.y) < 0.01f; });
  };
  CHECK(has(33'333, 7));
  CHECK(has(77'777, -5));
  CHECK(has(0, y[0]));
  CHECK(has(99'999, y.back()));

  Chart dots = chart;
  dots.series[0].mark = ChartSeries::Mark::Dots;
  CHECK(chart_picture(dots, {200, 100}).hits.size() <= 200 * 100);
}

TEST_CASE("chart_picture: of thousands of bars on a logarithmic axis, the one at 0 is left out") {
  std::vector<double> x, y;
  for (int i = 0; i < 3'000; ++i) {
    x.push_back(i);
    y.push_back(1 + i % 7);
  }
  Chart chart = line_of(x, y);
  chart.x.log = true;
  chart.series[0].mark = ChartSeries::Mark::Bars;
  const ChartPicture picture = chart_picture(chart, {400, 300});
  CHECK(picture.hits.size() > 50);
  CHECK(picture.hits.size() < 1'000);
  CHECK(std::ranges::none_of(picture.hits, [](const auto& hit) { return hit.index == 0; }));
}

TEST_CASE("chart_picture: thousands of bars leave no gaps between them") {
  std::vector<double> x, y;
  for (int i = 0; i < 4'000; ++i) {
    x.push_back(i);
    y.push_back(20 + (i * 37) % 11);
  }
  Chart chart = line_of(x, y);
  chart.series.push_back(chart.series[0]);
  for (ChartSeries& series : chart.series) series.mark = ChartSeries::Mark::Bars;
  for (const float width : {300.0f, 437.0f, 800.0f}) {
    CAPTURE(width);
    const ChartPicture picture = chart_picture(chart, {width, 300});
    std::set<int> columns;
    for (const ChartHit& hit : picture.hits) {
      for (float column = hit.box.x0; column < hit.box.x1; ++column) columns.insert(static_cast<int>(column));
    }
    REQUIRE(columns.size() > 200);
    CHECK(columns.size() == static_cast<std::size_t>(*columns.rbegin() - *columns.begin() + 1));
  }
}

TEST_CASE("chart_picture: a NaN leaves a gap in a line, and a point between gaps is a dot") {
  const ChartPicture picture = chart_picture(line_of({0, 1, 2, 3, 4, 5}, {1, 2, NAN, 3, NAN, 4}), {400, 300});
  std::size_t lines = 0, dots = 0;
  for (const ChartShape& shape : picture.shapes) {
    lines += shape.kind == Kind::Line && shape.series == 0 ? 1u : 0u;
    if (shape.kind == Kind::Dots && shape.series == 0) dots += shape.count;
  }
  CHECK(lines == 1);
  CHECK(dots == 2);
}

TEST_CASE("chart_picture: stacked bars stand on each other, negative ones below") {
  Chart chart = line_of({0, 1}, {2, -3});
  chart.x.categories = {"a", "b"};
  chart.series.push_back(chart.series[0]);
  for (ChartSeries& series : chart.series) series.mark = ChartSeries::Mark::Bars;
  const ChartPicture picture = chart_picture(chart, {400, 300});
  REQUIRE(picture.hits.size() == 4);  // series by series
  CHECK(picture.hits[0].box.y0 == picture.hits[2].box.y1);
  CHECK(picture.hits[1].box.y1 == picture.hits[3].box.y0);
  CHECK(picture.hits[0].box.x0 == picture.hits[2].box.x0);
  CHECK(picture.y.high() > 4);
  CHECK(picture.y.low() < -6);
  CHECK(picture.text(picture.hits[0]) == "a\nline 2");

  chart.side_by_side = true;
  const ChartPicture beside = chart_picture(chart, {400, 300});
  CHECK(beside.hits[0].box.x1 <= beside.hits[2].box.x0);
  CHECK(beside.y.high() < 3);

  ChartFrame frame{400, 300};
  frame.hidden = {true};
  CHECK(chart_picture(chart, frame).hits.size() == 2);
}

TEST_CASE("chart_picture: bars too thin for hatching are not hatched") {
  const auto hatches_of = [](std::size_t bars) {
    std::vector<double> x(bars), y(bars, 5);
    std::iota(x.begin(), x.end(), 1.0);
    Chart chart = line_of(std::move(x), std::move(y));
    chart.series[0].mark = ChartSeries::Mark::Bars;
    chart.series[0].hatched = true;
    const ChartPicture picture = chart_picture(chart, {600, 300});
    const auto in_plot = [&](const ChartShape& shape) { return shape.kind == Kind::Hatch && shape.box.y0 >= picture.plot.y0; };
    return std::ranges::count_if(picture.shapes, in_plot);
  };
  CHECK(hatches_of(5) == 5);
  CHECK(hatches_of(400) == 0);
}

TEST_CASE("chart_picture: an empty chart says why, and a long title is shortened in the middle") {
  Chart chart = line_of({1, 2}, {3, 4});
  chart.empty = "nothing was recorded";
  CHECK(text(chart_picture(chart, {600, 300}), "nothing was recorded"));
  chart.empty.clear();
  CHECK(chart_picture(chart, {600, 300}).plot.width() > 300);
  chart.title = std::string(200, 'a') + std::string(200, 'z');
  const auto all = texts(chart_picture(chart, {600, 300}));
  const ChartPicture picture = chart_picture(chart, {600, 300});
  CHECK(std::any_of(picture.shapes.begin(), picture.shapes.end(), [&](const ChartShape& shape) {
    const std::string_view letters = picture.text(shape);
    return shape.bold && letters.starts_with("aaa") && letters.ends_with("zzz") &&
           letters.find("\u2026") != letters.npos;
  }));
}

TEST_CASE("chart_picture: a title is wrapped into as many lines as it needs") {
  Chart chart = line_of({1, 2}, {3, 4});
  chart.title =
      "Slowest sibling of each prompt over the median of its siblings, step 32, worker 3 (172 of 1,024 requests)";
  chart.note = "how";
  for (const float width : {900.0f, 500.0f, 340.0f}) {
    CAPTURE(width);
    const ChartPicture picture = chart_picture(chart, {width, 300});
    std::string title;
    float bottom = 0;
    for (const ChartShape& shape : picture.shapes) {
      if (!shape.bold) continue;
      title += (title.empty() ? "" : " ") + std::string(picture.text(shape));
      bottom = std::max(bottom, shape.box.y1);
    }
    CHECK(title == chart.title);
    CHECK(bottom <= picture.plot.y0);
    CHECK(picture.note_mark.y1 == bottom);  // after the end of the title
    CHECK(picture.note_mark.x1 <= width);
    CHECK(objection(picture) == "");
  }
}

TEST_CASE("chart_picture: an axis title has the unit of its labels, unless each label has its own") {
  const auto title_and_labels = [](double most, bool log, double least) {
    Chart chart = line_of({0, 1}, {least, most});
    chart.y.title = "launch delay (s)";
    chart.y.unit = ChartUnit::Seconds;
    chart.y.log = log;
    std::pair<std::string, std::vector<std::string>> out;
    const ChartPicture picture = chart_picture(chart, {600, 300});
    for (const ChartShape& shape : texts(picture)) {
      const std::string_view words = picture.text(shape);
      if (words.starts_with("launch"))
        out.first = words;
      else if (shape.box.x1 <= picture.plot.x0)
        out.second.emplace_back(words);
    }
    REQUIRE(out.second.size() >= 2);
    return out;
  };
  const auto plain = [](const std::vector<std::string>& labels) {
    return std::ranges::none_of(labels, [](const std::string& label) { return label.ends_with("s"); });
  };
  const auto milliseconds = title_and_labels(0.05, false, 0);
  CHECK(milliseconds.first == "launch delay (ms)");
  CHECK(plain(milliseconds.second));
  const auto microseconds = title_and_labels(3e-5, false, 0);
  CHECK(microseconds.first == "launch delay (\u00b5s)");
  CHECK(plain(microseconds.second));
  const auto seconds = title_and_labels(12, false, 0);
  CHECK(seconds.first == "launch delay (s)");
  CHECK(plain(seconds.second));
  // From microseconds to seconds, each label has its own unit.
  const auto several = title_and_labels(2, true, 1e-6);
  CHECK(several.first == "launch delay");
  CHECK(!plain(several.second));
}

TEST_CASE("chart_picture: a view limits the x axis to a part of the data") {
  ChartFrame frame{600, 300};
  frame.x_view = {10, 20};
  const ChartPicture picture = chart_picture(line_of({0, 100}, {0, 1}), frame);
  CHECK(picture.x.low() == 10);
  CHECK(picture.x.high() == 20);
  CHECK(picture.all_x.high == 100);
  CHECK(objection(picture) == "");
}

TEST_CASE("chart_picture: a low picture keeps room for the plot and names both axes") {
  // Heights of charts in the drawer on a laptop and on a desktop, and of two stacked charts.
  for (const float height : {120.0f, 160.0f, 230.0f, 265.0f}) {
    for (const Chart& chart : sample_charts()) {
      CAPTURE(chart.id);
      CAPTURE(height);
      if (chart.y2 || chart.y.title.empty() || chart.x.title.empty()) continue;
      const ChartPicture low = chart_picture(chart, {1000, height});
      if (low.plot.height() == 0) continue;  // nothing to plot
      CHECK(low.plot.height() > height * 0.3f);
      bool y = false, x = false;
      for (const ChartShape& text : texts(low)) {
        y = y || low.text(text).find(chart.y.title.substr(0, chart.y.title.find(" ("))) != std::string_view::npos;
        x = x || low.text(text).find(chart.x.title.substr(0, chart.x.title.find(" ("))) != std::string_view::npos;
      }
      CHECK(y);
      CHECK(x);
    }
  }
}

TEST_CASE("chart_picture: title and legend leave room for the plot in a low and narrow picture") {
  for (const Chart& chart : sample_charts()) {
    CAPTURE(chart.id);
    if (chart_picture(chart, {1000, 500}).plot.height() == 0) continue;  // nothing to plot
    CHECK(chart_picture(chart, {320, 150}).plot.height() > 150 * 0.18f);
    CHECK(chart_picture(chart, {480, 112}).plot.height() > 112 * 0.18f);
  }
}

TEST_CASE("chart_picture: a legend short of room says how many entries it leaves out") {
  Chart chart;
  chart.id = chart.title = "many";
  chart.x.title = "step";
  chart.y.title = "time (s)";
  for (int s = 0; s < 30; ++s) {
    ChartSeries& series = chart.series.emplace_back();
    series.name = "a phase with a name " + std::to_string(s);
    series.x = {0, 1};
    series.y = {1.0 + s, 2.0 + s};
  }
  const ChartPicture all = chart_picture(chart, {1400, 900});
  const ChartPicture few = chart_picture(chart, {420, 200});
  const auto left_out = [](const ChartPicture& picture) {
    std::size_t said = 0;
    for (const ChartShape& text : texts(picture)) {
      if (picture.text(text).starts_with("+")) said = std::stoul(std::string(picture.text(text).substr(1)));
    }
    return said;
  };
  CHECK(left_out(all) == 0);
  CHECK(all.legend.size() == 30);
  CHECK(left_out(few) > 20);
  CHECK(few.legend.size() + left_out(few) == 30);
  CHECK(objection(few).empty());
}

TEST_CASE("chart_picture: a low picture names every category") {
  Chart chart = line_of({0, 1, 2, 3, 4}, {1, 2, 3, 4, 500});
  chart.series[0].mark = ChartSeries::Mark::Bars;
  chart.x.title = "length of the gap, from";
  chart.x.categories = {"1 ms +", "2 ms +", "5 ms +", "10 ms +", "20 ms +"};
  chart.y.title = "idle in them (s)";
  chart.title = "Idle time by length of the gap and cause: 6 of at least 500 us";
  for (const float width : {600.0f, 800.0f, 1000.0f, 1400.0f}) {
    CAPTURE(width);
    const ChartPicture picture = chart_picture(chart, {width, 160});
    CHECK(objection(picture).empty());
    for (const std::string& name : chart.x.categories) CHECK_MESSAGE(text(picture, name), name);
    CHECK(picture.plot.height() > 160 * 0.3f);
    bool titled = false;
    for (const ChartShape& shape : texts(picture)) titled = titled || picture.text(shape).find(chart.x.title) != std::string_view::npos;
    CHECK(titled);
  }
}

TEST_CASE("chart_picture: a low picture keeps its whole legend, and axis titles do not displace labels") {
  Chart bars;
  bars.id = bars.title = "What 8 GPUs did";
  bars.note = "how it is counted";
  bars.horizontal = true;
  bars.x.title = "share of the GPU's time (%)";
  bars.x.unit = ChartUnit::Percent;
  bars.x.least = 0;
  bars.x.most = 100;
  for (int g = 0; g < 8; ++g) bars.y.categories.push_back("rank " + std::to_string(g) + ", GPU " + std::to_string(g));
  for (const char* part : {"compute", "communication, overlapped", "communication, exposed", "copies and memsets", "idle"}) {
    ChartSeries& series = bars.series.emplace_back();
    series.name = part;
    series.mark = ChartSeries::Mark::Bars;
    for (int g = 0; g < 8; ++g) {
      series.x.push_back(g);
      series.y.push_back(20);
    }
  }
  const ChartPicture picture = chart_picture(bars, {400, 190});
  CHECK(picture.legend.size() == 5);
  CHECK(objection(picture).empty());
  const auto has = [](const ChartPicture& in, std::string_view wanted) {
    return std::ranges::any_of(texts(in), [&](const ChartShape& text) { return in.text(text) == wanted; });
  };
  CHECK(has(picture, "100%"));
  CHECK(has(picture, "0%"));
  Chart over_time;
  over_time.id = over_time.title = "busy";
  over_time.x.title = "time since the beginning";
  over_time.x.timeline = true;
  over_time.x.unit = ChartUnit::Seconds;
  over_time.y.title = "busy";
  ChartSeries& line = over_time.series.emplace_back();
  for (int i = 0; i <= 40; ++i) {
    line.x.push_back(i * 0.001);
    line.y.push_back(i);
  }
  const ChartPicture times = chart_picture(over_time, {640, 170});
  double last = 0;
  for (const ChartShape& text : texts(times)) {
    const std::string written(times.text(text));
    if (written.find(" ms") != std::string::npos) last = std::max(last, std::stod(written));
  }
  CHECK(last >= 35);
  // If labels have no unit, the title names it.
  over_time.x.title = "time since the beginning (s)";
  for (double& t : line.x) t *= 100;
  const ChartPicture seconds = chart_picture(over_time, {640, 170});
  CHECK(std::ranges::any_of(texts(seconds), [&](const ChartShape& text) { return seconds.text(text).ends_with("beginning (s)"); }));
}

TEST_CASE("chart_picture: an axis title that would displace labels is reduced to its unit") {
  Chart chart = line_of({0, 1, 2, 3, 4}, {1, 2, 3, 4, 5});
  chart.title = "The loss of each of the runs that are compared here";
  chart.y.title = "loss";
  chart.x.title = "time since the begin (s)";
  bool whole = false, unit = false;
  for (float width = 200; width <= 1400; width += 20) {
    for (const float height : {110.0f, 150.0f, 300.0f}) {
      CAPTURE(width);
      CAPTURE(height);
      const ChartPicture picture = chart_picture(chart, {width, height});
      CHECK(objection(picture).empty());
      whole = whole || text(picture, chart.x.title);
      if (!text(picture, "(s)")) continue;
      unit = true;
      CHECK(!text(picture, chart.x.title));
      CHECK(text(picture, "0"));
    }
  }
  CHECK(whole);
  CHECK(unit);
}

TEST_CASE("chart_picture: the name of a horizontal rule is on the side with more room") {
  for (const double level : {0.05, 0.3, 0.7, 0.95}) {
    CAPTURE(level);
    Chart chart = line_of({0, 1}, {0, 1});
    chart.rules.push_back({level, false, "a median of which much is said, more than a fifth", 1});
    const ChartPicture picture = chart_picture(chart, {500, 300});
    const ChartShape* const name = text(picture, chart.rules.front().text);
    REQUIRE(name);
    const float rule = picture.y.px(level);
    if (level > 0.5) {
      CHECK(name->box.y0 >= rule);
    } else {
      CHECK(name->box.y1 <= rule);
    }
  }
}
