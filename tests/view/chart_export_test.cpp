// Charts as SVG and CSV; their colours and texts.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "core/base/text/utf8.h"
#include "core/view/chart/chart_cell.h"
#include "core/view/chart/chart_csv.h"
#include "core/view/picture/chart_svg.h"
#include "tests/support/eyes.h"
#include "tests/support/sample_charts.h"
#include "tests/support/xml.h"

using namespace tv;
using namespace tv::test;

namespace {

std::string svg(const Chart& chart, float width = 900, float height = 500) {
  return chart_svg(chart_picture(chart, {width, height}), chart.id);
}

}  // namespace

TEST_CASE("chart_svg: sample and odd charts give well-formed, repeatable SVG without NaN") {
  std::vector<Chart> charts = sample_charts();
  for (Chart& chart : odd_charts()) charts.push_back(std::move(chart));
  for (const Chart& chart : charts) {
    CAPTURE(chart.id);
    const std::string text = svg(chart);
    CHECK(xml_objection(text) == "");
    CHECK(text.find("nan") == text.find("nan\">"));  // no number is NaN
    CHECK(text == svg(chart));
  }
}

TEST_CASE("chart_svg: reserved XML characters are escaped, and invalid ones replaced") {
  CHECK(xml_escaped("a<b> & \"c\"") == "a&lt;b&gt; &amp; &quot;c&quot;");
  CHECK(xml_escaped("\x01\xff\u4e2d\n") == "\uFFFD\uFFFD\u4e2d\n");
  CHECK(xml_escaped("\xef\xbf\xbf") == "\uFFFD");
  Chart chart = sample_charts()[0];
  chart.title = "</text><script>alert(1)</script>";
  chart.series[0].name = "a & b\xff";
  chart.id = "x\"/><script>";
  const std::string text = svg(chart);
  CHECK(xml_objection(text) == "");
  CHECK(text.find("<script") == std::string::npos);
  CHECK(text.find("a &amp; b\uFFFD") != std::string::npos);
  CHECK(xml_objection("<a><b></a>") != "");  // the checker does find errors
  CHECK(xml_objection("<a>&nbsp;</a>") != "");
}

TEST_CASE("chart_svg: hatching is a pattern, readouts are titles") {
  for (const Chart& chart : sample_charts()) {
    if (chart.id != "slowest_requests") continue;
    const std::string text = svg(chart);
    CHECK(text.find("<pattern id=\"slowest_requests-") != std::string::npos);
    CHECK(text.find("fill=\"url(#slowest_requests-") != std::string::npos);
    CHECK(text.find("<title>") != std::string::npos);
  }
}

TEST_CASE("chart_svg: hatching has one pattern per distinct RGBA colour and line width") {
  ChartPicture picture;
  const auto hatch = [&](Rgba color, float size) {
    ChartShape& shape = picture.shapes.emplace_back();
    shape.kind = ChartShape::Kind::Hatch;
    shape.color = color;
    shape.size = size;
  };
  hatch(0xff0000ff, 1.4f);
  hatch(0x800000ff, 1.4f);
  hatch(0xff0000ff, 3);
  hatch(0xff0000ff, 1.4f);
  const std::string text = chart_svg(picture);
  std::set<std::string> ids;
  std::size_t patterns = 0;
  for (std::size_t at = 0; (at = text.find("<pattern id=\"", at)) != std::string::npos; ++patterns) {
    at += std::string_view("<pattern id=\"").size();
    ids.insert(text.substr(at, text.find('"', at) - at));
  }
  CHECK(patterns == 3);
  CHECK(ids.size() == 3);
  for (const std::string& id : ids) CHECK(text.find("url(#" + id + ")") != std::string::npos);
}

TEST_CASE("chart_csv: rows are in long form, with exact numbers and category names") {
  Chart chart;
  ChartSeries a, b;
  a.name = "first, \"quoted\"";
  a.x = {0, 1};
  a.y = {0.1, 1.0 / 3};
  b.name = "b";
  b.x = {1, 2.5};
  b.y = {NAN, 1e300};
  chart.series = {a, b};
  CHECK(chart_csv(chart) ==
        "series,x,y\r\n\"first, \"\"quoted\"\"\",0,0.1\r\n\"first, "
        "\"\"quoted\"\"\",1,0.3333333333333333\r\nb,1,\r\nb,2.5,1e+300\r\n");
  chart.x.categories = {"zero", "one\n"};
  chart.series[0].labels = {"l"};
  CHECK(chart_csv(chart).starts_with("series,x,y\r\n"));  // labels on marks only repeat the values, rounded
  chart.series[0].labels_are_names = true;
  CHECK(chart_csv(chart) ==
        "series,x,y,label\r\n\"first, \"\"quoted\"\"\",zero,0.1,l\r\n"
        "\"first, \"\"quoted\"\"\",\"one\n\",0.3333333333333333,\r\nb,\"one\n\",,\r\nb,2.5,1e+300,\r\n");
}

TEST_CASE("chart_csv: boxes, spans, cells and tables each have their own columns") {
  Chart boxes;
  boxes.series.resize(2);
  boxes.series[0].name = "box";
  boxes.series[0].mark = ChartSeries::Mark::Boxes;
  boxes.series[0].x = {7, 8};
  boxes.series[0].y = {1, 2, 3, 4, 5, 6};  // the second box is not complete
  boxes.series[1].name = "line";
  boxes.series[1].x = {7};
  boxes.series[1].y = {9};
  CHECK(chart_csv(boxes) == "series,x,least,p25,median,p75,most\r\nbox,7,1,2,3,4,5\r\nline,7,,,9,,\r\n");

  Chart spans;
  spans.series.resize(1);
  spans.series[0].mark = ChartSeries::Mark::Span;
  spans.series[0].x = {0};
  spans.series[0].y = {2, 3};
  CHECK(chart_csv(spans) == "series,x,from,to\r\n,0,2,3\r\n");

  Chart cells;
  cells.x.categories = {"c1", "c2"};
  cells.y.categories = {"r1", "r2"};
  cells.cells = ChartCells{"v", {1, 2, NAN, 4, 5}, {}};
  CHECK(chart_csv(cells) == "row,column,v\r\nr1,c1,1\r\nr1,c2,2\r\nr2,c1,\r\nr2,c2,4\r\n");

  Chart only_table;
  only_table.table = ChartTable{{{"a", false}, {"b", true}}, {{"x,y", "1"}, {"z"}}, {}};
  CHECK(chart_csv(only_table) == "a,b\r\n\"x,y\",1\r\nz,\r\n");
  CHECK(table_csv(*only_table.table) == chart_csv(only_table));
  ChartTable odd;
  odd.columns = {{"a, b"}, {"n", true}};
  odd.rows = {{"tab\there", "1"}, {"short"}};
  CHECK(table_tsv(odd) == "a, b\tn\ntab here\t1\nshort\t\n");
  CHECK(chart_csv(Chart()) == "series,x,y\r\n");
}

TEST_CASE("chart_csv: numbers have all digits, a column has one unit, and names are not shortened") {
  Chart chart;
  chart.horizontal = true;
  chart.x.title = "time (s)";
  chart.y.categories = {"gemm\u2026"};
  chart.y.full_categories = {"gemm<float, 128>"};
  chart.series.resize(1);
  chart.series[0].mark = ChartSeries::Mark::Bars;
  chart.series[0].x = {0};
  chart.series[0].y = {0.123456789};
  CHECK(chart_csv(chart) == "series,x,time (s)\r\n,\"gemm<float, 128>\",0.123456789\r\n");

  Chart two_scales;
  two_scales.x.title = "step";
  two_scales.y.title = "loss";
  two_scales.y2.emplace().title = "perf/time (s)";
  two_scales.on_y2 = {1};
  two_scales.series.resize(2);
  two_scales.series[0].x = two_scales.series[1].x = {1};
  two_scales.series[0].y = {2};
  two_scales.series[1].y = {3};
  CHECK(chart_csv(two_scales) == "series,step,loss,perf/time (s)\r\n,1,2,\r\n,1,,3\r\n");

  ChartTable table;
  table.columns = {{"kernel"}, {"total", true}, {"mean", true}, {"share %", true}, {"times", true}};
  table.rows = {{name_cell("void g\u2026", "void gemm<1>()"), duration_cell(1'234'567'891), ns_cell(0.1 + 0.2),
                 number_cell(100.0 / 3, 1), count_cell(1'234'567)},
                {"other", duration_cell(12), ns_cell(NAN), number_cell(INFINITY, 1), said_cell(-1)}};
  CHECK(table.rows[0][1] == "1.235 s");
  CHECK(table.rows[0][4] == "1,234,567");
  CHECK(table.rows[1][2] == "-");
  CHECK(table_csv(table) ==
        "kernel,total (ns),mean (ns),share %,times\r\nvoid gemm<1>(),1234567891,0.30000000000000004,33.333333333333336,1234567\r\n"
        "other,12,,,\r\n");
  CHECK(table_tsv(table).starts_with("kernel\ttotal (ns)\t"));
}

TEST_CASE("chart_palette: colours stand out and differ from each other, the first ones to colour-blind eyes too") {
  for (const ThemeKind theme : {ThemeKind::Dark, ThemeKind::Light}) {
    for (int a = 0; a < kChartColors; ++a) {
      CHECK(contrast(chart_color(a, theme), chart_ink(theme).background) >= 3);
      for (int b = 0; b < a; ++b) {
        const auto one = oklab(chart_color(a, theme), kAll), other = oklab(chart_color(b, theme), kAll);
        CHECK(std::hypot(one[0] - other[0], one[1] - other[1], one[2] - other[2]) > 0.065);
      }
      for (int b = 0; b < a && a < kClearChartColors; ++b) {
        for (const Matrix& eye : {kAll, kProtan, kDeutan, kTritan}) {
          const auto p = oklab(chart_color(a, theme), eye), q = oklab(chart_color(b, theme), eye);
          CAPTURE(a);
          CAPTURE(b);
          CHECK(std::hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]) > 0.065);
        }
      }
    }
    CHECK(chart_color(kChartColors + 3, theme) == chart_color(3, theme));
    CHECK(chart_color(-1, theme) != chart_color(0, theme));
    // Heat colours move away from the background as values grow.
    double last = 1;
    for (int i = 0; i <= 20; ++i) {
      const double ratio = contrast(chart_heat(i / 20.0, theme), chart_ink(theme).background);
      CHECK(ratio >= last - 1e-6);
      last = ratio;
    }
    CHECK(chart_heat(NAN, theme) == chart_heat(0, theme));
    CHECK(chart_heat(7, theme) == chart_heat(1, theme));
  }
}

TEST_CASE("chart_text: text is measured, shortened in the middle and wrapped between words") {
  const ChartMeasure measure = chart_text_width;
  CHECK(chart_text_width("", 10) == 0);
  CHECK(chart_text_width("iii", 10) < chart_text_width("mmm", 10));
  CHECK(chart_text_width("\u4e2d", 10) == doctest::Approx(9.1).epsilon(0.01));
  CHECK(chart_text_width("\xff\xfe", 10) > 0);
  CHECK(chart_elided("short", 1000, 10, measure) == "short");
  CHECK(chart_elided("a\nb\x01", 1000, 10, measure) == "a b");
  const std::string elided = chart_elided("request-2dbdedb6-step-32", 60, 10, measure);
  CHECK(elided.starts_with("requ"));
  CHECK(elided.ends_with("32"));
  CHECK(chart_text_width(elided, 10) <= 60);
  CHECK(chart_elided("\u4e2d\u6587\u4e2d\u6587\u4e2d\u6587", 32, 10, measure) == "\u4e2d\u2026\u6587");
  CHECK(chart_elided("word", 2, 10, measure).empty());
  // Shortened text is shortened again without a second ellipsis.
  for (float width = 40; width < 200; width += 1) {
    const std::string again = chart_elided("vectorized_elementwise\u2026CUDAFunctor_add<float>", width, 10, measure);
    CHECK(again.find("\u2026\u2026") == std::string::npos);
    CHECK(chart_text_width(again, 10) <= width);
  }
  const auto lines = chart_wrapped("async rollout request complete", 75, 10, 2, measure);
  REQUIRE(lines.size() == 2);
  CHECK(lines[0] == "async rollout");
  CHECK(chart_text_width(lines[1], 10) <= 75);
  CHECK(chart_wrapped("", 75, 10, 2, measure).empty());
  CHECK(chart_wrapped("unbreakable-and-long", 30, 10, 3, measure).size() == 1);
}
