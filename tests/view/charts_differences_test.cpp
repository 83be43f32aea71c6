// Charts that compare two parts of a trace, or two training logs.
#include "core/view/charts/charts_differences.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "core/analysis/run/run_data.h"
#include "core/session/load/load_job.h"
#include "tests/session/trace_files.h"
#include "tests/support/gen_trace.h"
#include "tests/support/temp_dir.h"

using namespace tv;
using namespace tv::test;

namespace {

std::vector<Chart> differences_made(const RunData& data, std::string_view id, const ChartQuestion& question = {}) {
  const auto kind = std::ranges::find(chart_kinds(), id, &ChartKind::id);
  REQUIRE(kind != chart_kinds().end());
  REQUIRE(data.has(kind->of));
  return make_charts(*kind, data, question);
}

}  // namespace

TEST_CASE("charts of differences: two ranks are compared in either direction, and within an area") {
  TraceSketch sketch;
  sketch.lane("rank 0", RowRule::Nest).lane("rank 1", RowRule::Nest);
  sketch.slice("rank 0", 0, 100 * kMicrosecond, "gemm").slice("rank 0", 400 * kMicrosecond, 10 * kMicrosecond, "old");
  sketch.slice("rank 1", 0, 300 * kMicrosecond, "gemm").slice("rank 1", 400 * kMicrosecond, 40 * kMicrosecond, "new");
  const RunData data = analyse_run(sketch.build(), test_pool());
  const Chart chart = differences_made(data, "differences").front();
  CHECK(chart.title == "rank 1 against rank 0: 3 names, +230 \u00b5s in all");
  REQUIRE(chart.table);
  REQUIRE(chart.table->rows.size() == 3);
  CHECK(chart.table->rows[0][0] == "gemm");
  CHECK(chart.table->rows[0][1] == "+200 \u00b5s");
  CHECK(chart.table->rows[0][2] == "+200.0 %");
  CHECK(chart.table->rows[1][4] == "added");
  CHECK(chart.table->rows[2][4] == "removed");
  CHECK(chart.table->rows[2][1] == "-10 \u00b5s");
  CHECK(chart.series.size() == 2);

  ChartQuestion turned;
  turned.settings.set(kDifferenceA, "rank 1");
  turned.settings.set(kDifferenceB, "rank 0");
  CHECK(differences_made(data, "differences", turned).front().title == "rank 0 against rank 1: 3 names, -230 \u00b5s in all");
  ChartQuestion early;
  early.area = Scope{{0, 200 * kMicrosecond}};
  const Chart part = differences_made(data, "differences", early).front();
  REQUIRE(part.table->rows.size() == 1);
  CHECK(part.table->rows[0][1] == "+100 \u00b5s");
  for (const ChartControl& control : difference_controls(data, {})) CHECK_FALSE(control.choices.empty());
}

TEST_CASE("charts of differences: a trace of one part says that there is nothing to compare") {
  TraceSketch sketch;
  sketch.lane("t", RowRule::Nest).slice("t", 0, 5, "a");
  CHECK_FALSE(differences_made(analyse_run(sketch.build(), test_pool()), "differences").front().empty.empty());
}

TEST_CASE("charts of differences: by default, only parts with slices of the compared kind are chosen") {
  TraceSketch sketch;
  sketch.lane("host", RowRule::Nest).lane("rank 0", RowRule::Nest).lane("rank 1", RowRule::Nest);
  sketch.slice("host", 0, 5, "run", {}, "cpu_op").slice("rank 0", 0, 10, "gemm", {}, "kernel").slice("rank 1", 0, 30, "gemm", {}, "kernel");
  const RunData data = analyse_run(sketch.build(), test_pool());
  CHECK(differences_made(data, "differences").front().title == "rank 1 against rank 0: 1 name, +20 ns in all");
  ChartQuestion all;
  all.settings.set(kDifferenceOf, "all");
  CHECK(differences_made(data, "differences", all).front().title == "rank 0 against host: 2 names, +5 ns in all");
}

TEST_CASE("charts of differences: two training logs are compared metric by metric") {
  const TempDir folder;
  const auto log = [&](const std::string& name, double gen, const std::string& more) {
    std::string text;
    for (int step = 1; step <= 20; ++step) {
      text += "step:" + std::to_string(step) + " - timing_s/gen:" + std::to_string(gen + 0.01 * (step % 5)) +
              " - timing_s/update_actor:" + std::to_string(1.0 + 0.01 * (step % 7)) + more + "\n";
    }
    return folder.write(name, text);
  };
  const auto trace = load_snapshot({log("a.log", 2, ""), log("b.log", 3, " - timing_s/ref:1.0")}, test_pool())->trace;
  const RunData data = analyse_run(trace, test_pool());
  const Chart chart = differences_made(data, "log_differences").front();
  REQUIRE(chart.table);
  const auto row_of = [&](const std::string& metric) {
    return *std::ranges::find_if(chart.table->rows, [&](const auto& row) { return row[0] == metric; });
  };
  CHECK(row_of("timing_s/gen")[5] == "different");
  CHECK(row_of("timing_s/gen")[1] == "+1");
  CHECK(row_of("timing_s/update_actor")[5] == "not distinguishable");
  CHECK(chart.title.find("only in one") != std::string::npos);
}
