// Duration charts of slices with one name, and the command that a drag on a chart gives.
#include "core/view/charts/charts_durations.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <string>
#include <variant>

#include "core/analysis/run/run_data.h"
#include "core/view/chart/chart_csv.h"
#include "core/view/charts/chart_kinds.h"
#include "core/view/keys/brush_command.h"
#include "core/view/picture/chart_as_table.h"
#include "tests/support/gen_gpu.h"

using namespace tv;
using namespace tv::test;

namespace {

RunData data_of(const TraceSketch& sketch) { return analyse_run(sketch.build(), test_pool()); }

std::vector<Chart> made(const RunData& data, const ChartQuestion& question = {}) {
  const auto kind = std::ranges::find(chart_kinds(), "durations", &ChartKind::id);
  REQUIRE(kind != chart_kinds().end());
  REQUIRE(data.has(kind->of));
  return make_charts(*kind, data, question);
}

TraceSketch lengths() {
  TraceSketch sketch;
  sketch.lane("t", RowRule::Nest);
  Ns at = 0;
  for (const Ns length : {10, 20, 30, 40, 1000}) {
    sketch.slice("t", at, length * kMicrosecond, "gemm");
    at += 2000 * kMicrosecond;
  }
  sketch.slice("t", at, kMicrosecond, "other").slice("t", at + kMillisecond, kMicrosecond, "other");
  return sketch;
}

std::string figure(const Chart& chart, std::string_view name) {
  const auto at = std::ranges::find(chart.facts, name, &ChartFact::name);
  return at == chart.facts.end() ? "" : at->value.text;
}

}  // namespace

TEST_CASE("charts of durations: any trace with slices has them, by default of the leading name") {
  const RunData data = data_of(lengths());
  CHECK(data.empty());  // no other analysis applies
  const std::vector<Chart> charts = made(data);
  REQUIRE(charts.size() == 5);
  const Chart& histogram = charts[0];
  CHECK(histogram.title == "Durations of gemm, 5 slices");
  CHECK(histogram.x.log);  // from 10 µs to 1 ms
  CHECK(figure(histogram, "count") == "5");
  CHECK(figure(histogram, "median") == "30 µs");
  CHECK(figure(histogram, "max") == "1 ms");
  CHECK(charts[1].series[0].y.back() == 100);
  CHECK(charts[2].series[0].y.front() == 100);
  CHECK(charts[2].series[0].y.back() == 20);  // one of five is as long as the longest
  REQUIRE(charts[4].table);
  CHECK(charts[4].table->rows.size() == 5);
  CHECK(charts[4].table->rows[0][0] == "1 ms");
}

TEST_CASE("charts of durations: charts follow the name, the area and the settings, and titles say so") {
  const RunData data = data_of(lengths());
  ChartQuestion question;
  question.label = data.trace->slices.label[data.trace->slices.size() - 1];
  CHECK(made(data, question)[0].title == "Durations of other, 2 slices");
  question.settings.set(kDurationsOf, "emm");
  question.settings.set(kDurationsAxis, "linear");
  question.settings.set(kDurationsBins, "7");
  question.area = Scope{{0, 5 * kMillisecond}};
  const Chart histogram = made(data, question)[0];
  CHECK(histogram.title == "Durations of gemm, 3 slices, in 5 ms");
  CHECK(!histogram.x.log);
  CHECK(histogram.series[0].x.size() == 14);
  question.area = Scope{{11 * kMillisecond, 12 * kMillisecond}};
  CHECK(made(data, question)[0].title == "Durations of gemm, 5 slices, all data: none of them in 1 ms");
  question.settings.set(kDurationsOf, "nobody");
  CHECK(made(data, question)[0].empty == "No name contains \"nobody\"");
}

TEST_CASE("charts of durations: as a table, the histogram counts each slice in one bin, for all slices and for each group") {
  TraceSketch sketch;
  for (const std::string rank : {"rank 0", "rank 1"}) {
    sketch.lane(rank, cpu_thread(rank));
    for (Ns n = 1; n <= 10; ++n) sketch.slice(rank, 100 * n * kMicrosecond, (rank == "rank 0" ? n : 10) * kMicrosecond, "gemm");
  }
  ChartQuestion question;
  question.settings.set(kDurationsAxis, "linear");
  question.settings.set(kDurationsBins, "5");
  const RunData data = data_of(sketch);
  const ChartTable table = chart_as_table(made(data, question)[0]).table;
  CHECK(table_csv(table).starts_with("from (s),to (s),all,rank 0,rank 1\r\n"));
  REQUIRE(table.rows.size() == 5);
  std::array<double, 3> sums{};
  for (const auto& row : table.rows) {
    for (std::size_t c = 0; c < sums.size(); ++c) sums[c] += std::get<double>(row[c + 2].full);
  }
  CHECK(sums == std::array<double, 3>{20, 10, 10});
  question.settings.set(kDurationsBy, "all");
  CHECK(table_csv(chart_as_table(made(data, question)[0]).table).starts_with("from (s),to (s),slices\r\n"));
}

TEST_CASE("brush_command: a brush selects slices by length, a time range or requests") {
  const RunData data = data_of(lengths());
  const Chart histogram = made(data)[0];
  CHECK(brushes_along_x(histogram));
  ChartBrush brush;
  brush.x = {0.00002, 0.00004};
  const Command of_slices = brush_command(histogram, brush, "durations");
  const auto* const slices = of_slices.get_if<command::BrushSlices>();
  REQUIRE(slices);
  CHECK(slices->brush == SliceBrush{histogram.slices_of, 20 * kMicrosecond, 40 * kMicrosecond});
  const auto shown = brush_of(histogram, slices->brush);
  REQUIRE(shown);
  CHECK(shown->x->first == doctest::Approx(0.00002));

  Chart over_time;
  over_time.x.timeline = true;
  const Command of_time = brush_command(over_time, brush, "gpu");
  const auto* const area = of_time.get_if<command::SelectRange>();
  REQUIRE(area);
  CHECK(area->range == TimeRange{20 * kMicrosecond, 40 * kMicrosecond});
  CHECK(area->chart == "gpu");

  over_time.x.categories = {"0", "1", "2"};
  over_time.x.category_values = {1, 2, 3};
  brush.x = {0.5, 2};
  const Command of_stretches = brush_command(over_time, brush, "gpu");
  CHECK(of_stretches.get_if<command::SelectRange>()->range == TimeRange{2 * kSecond, 4 * kSecond});
  brush.x = {0.00002, 0.00004};

  Chart of_requests;
  of_requests.x.field = "dur";
  const Command requests = brush_command(of_requests, brush, "cdf");
  REQUIRE(requests.get_if<command::BrushRequests>());
  CHECK(!brush_of(of_requests, slices->brush));
}
