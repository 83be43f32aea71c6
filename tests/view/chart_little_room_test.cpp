// What a chart keeps if there is not enough room.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>

#include "core/view/picture/chart_marks.h"
#include "tests/view/drawn_chart.h"

using namespace tv;
using namespace tv::test;

TEST_CASE("chart_little_room: a legend short of room keeps the largest series and drops the smallest") {
  Chart chart;
  chart.id = chart.title = "parts";
  chart.x.categories = {"GPU 0", "GPU 1"};
  const std::pair<const char*, double> parts[] = {{"computing a little", 2}, {"communication", 3}, {"overlapped", 1}, {"copies and memsets", 0.5}, {"exposed communication", 84}, {"idle", 9.5}};
  for (const auto& [name, share] : parts) {
    ChartSeries& series = chart.series.emplace_back();
    series.name = name;
    series.mark = ChartSeries::Mark::Bars;
    series.x = {0, 1};
    series.y = {share, share};
  }
  const ChartPicture picture = chart_picture(chart, {300, 140});
  std::vector<std::string> said;
  for (const ChartLegendEntry& entry : picture.legend) said.push_back(chart.series[static_cast<std::size_t>(entry.series)].name);
  REQUIRE(said.size() < 6);
  REQUIRE(!said.empty());
  CHECK(std::ranges::find(said, "exposed communication") != said.end());
  CHECK(std::ranges::find(said, "copies and memsets") == said.end());
  CHECK(objection(picture).empty());
}

TEST_CASE("chart_little_room: shortened category names keep the parts in which they differ") {
  const auto names = [](std::vector<std::string> categories, float width) {
    Chart chart = line_of({0, 1}, {1, 2});
    chart.series[0].mark = ChartSeries::Mark::Bars;
    chart.horizontal = true;
    chart.y.categories = categories;
    const ChartPicture picture = chart_picture(chart, {width, 200});
    std::set<std::string> written;
    for (const ChartShape& text : texts(picture)) {
      if (text.box.x1 <= picture.plot.x0) written.insert(std::string(picture.text(text)));
    }
    return written;
  };
  using Names = std::set<std::string>;
  CHECK(names({"rank 0, before", "rank 0, after"}, 600) == Names{"rank 0, before", "rank 0, after"});
  CHECK(names({"rank 0, broken_rank1, GPU 0", "rank 0, good_rank0, GPU 0"}, 320) == Names{"broken_rank1", "good_rank0"});
  CHECK(names({"machine0 with a long name GPU 0", "machine1 with a long name GPU 0", "machine0 with a long name GPU 1"}, 320).size() == 3);
}

TEST_CASE("chart_little_room: a low picture with long titles keeps at least two numbers on its time axis") {
  for (float width = 300; width < 700; width += 20) {
    CAPTURE(width);
    Chart chart = line_of({0, 0.1, 0.2, 0.3, 0.4}, {1, 2, 3, 4, 5});
    chart.title = "GPU 0 over time, in steps of 10 ms, which leaves no room for the titles of axes beside it at all";
    chart.x.title = "time since the beginning (s)";
    chart.y.title = "of the time (%)";
    const ChartPicture picture = chart_picture(chart, {width, 150});
    std::size_t numbers = 0;
    for (const ChartShape& text : texts(picture)) {
      const std::string_view said = picture.text(text);
      numbers += text.box.y0 > picture.plot.y1 && said.starts_with("0") ? 1 : 0;
    }
    CHECK(numbers >= 2);
  }
}

TEST_CASE("chart_little_room: the colour scale of shares runs from 0 to 100") {
  ChartCells cells;
  cells.value = {59.6, 61.4};
  CHECK(chart_cell_range(cells).low == 59.6);
  cells.shares = true;
  CHECK(chart_cell_range(cells).low == 0);
  CHECK(chart_cell_range(cells).high == 100);
}
