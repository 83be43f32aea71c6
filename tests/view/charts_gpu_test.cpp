// Charts of GPUs: well formed whatever the trace and the settings, and with the numbers of the analysis.
#include "core/view/charts_gpu.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "core/analysis/gpu_gaps.h"
#include "core/view/gpu_chart_parts.h"
#include "tests/support/chart_check.h"
#include "tests/support/gen_gpu.h"

using namespace tv;
using namespace tv::test;

namespace {

RunData run_of(const TraceSketch& sketch) { return analyse_run(sketch.build(), test_pool()); }

void check_places(const Trace& trace, const Chart& chart) {
  for (const ChartPlace& place : chart.places) {
    CHECK_FALSE(place.range.empty());
    if (place.slice == kNone<SliceId>) continue;
    REQUIRE(idx(place.slice) < trace.slices.size());
    if (!place.marked) CHECK(trace.slices.begin[idx(place.slice)] == place.range.begin);
  }
}

// Of every kind, with these settings.
void check_all(const RunData& data, const ChartSettings& settings) {
  ChartQuestion question;
  question.settings = settings;
  std::set<std::string> ids;
  for (const ChartKind& kind : chart_kinds()) {
    if (kind.of != RunPart::Gpu) continue;
    const std::vector<Chart> charts = kind.make(data, question);
    CHECK_FALSE(charts.empty());
    for (const Chart& chart : charts) {
      CAPTURE(chart.id);
      CHECK(flaw(Rollout(), chart) == "");
      CHECK(ids.insert(chart.id).second);
      check_places(*data.gpu->trace, chart);
    }
  }
}

const Chart& chart_called(const std::vector<Chart>& charts, std::string_view id) {
  const auto found = std::ranges::find(charts, id, &Chart::id);
  REQUIRE(found != charts.end());
  return *found;
}

}  // namespace

TEST_CASE("charts of GPUs: an area limits each of them, and each says so") {
  for (const std::uint64_t seed : seeds(25)) {
    CAPTURE(seed);
    const RunData data = run_of(gen_gpu_trace(seed));
    REQUIRE(data.has(RunPart::Gpu));
    Random random(seed);
    const TimeRange extent = data.gpu->extent;
    const Ns begin = random.in(extent.begin, extent.end - 1);
    ChartQuestion question;
    question.area = Scope{{begin, random.in(begin + 1, extent.end)}, {}, "step 9"};
    if (random.chance(0.5)) question.area->lanes = {id_at<LaneId>(random.next() % data.gpu->trace->lanes.size())};
    for (const ChartKind& kind : chart_kinds()) {
      if (kind.of != RunPart::Gpu) continue;
      for (const Chart& chart : make_charts(kind, data, question)) {
        CAPTURE(chart.id);
        CHECK(flaw(Rollout(), chart) == "");
        CHECK(chart.title.find("step 9, ") != std::string::npos);
        check_places(*data.gpu->trace, chart);
      }
    }
    question.area->lanes.clear();
    question.settings.set(std::string(kSummaryOf), "kernels");
    const auto kernels = std::ranges::find(chart_kinds(), "kernels", &ChartKind::id);
    Ns total = 0;
    const Trace& trace = *data.gpu->trace;
    for (std::size_t s = 0; s < trace.slices.size(); ++s) {
      if (trace.labels.category(trace.slices.label[s]) != "kernel") continue;
      const Ns from = trace.slices.begin[s];
      total += clip_to({from, from + trace.slices.duration[s]}, question.area->range).length();
    }
    const std::string title = make_charts(*kernels, data, question).front().title;
    if (total > 0) CHECK(title.find(", " + format_duration(total) + ", in step 9") != std::string::npos);
  }
}

TEST_CASE("charts of GPUs: well formed with every setting") {
  for (const std::uint64_t seed : seeds(25)) {
    CAPTURE(seed);
    const RunData data = run_of(gen_gpu_trace(seed));
    REQUIRE(data.has(RunPart::Gpu));
    ChartSettings settings;
    settings.set(kLeastGap, "0.02");
    check_all(data, settings);
    for (const ChartControl& control : all_controls(data, {})) {
      for (const ChartControl::Choice& choice : control.choices) {
        CAPTURE(control.setting);
        CAPTURE(choice.value);
        ChartSettings one;
        one.set(control.setting, choice.value);
        check_all(data, one);
      }
    }
  }
}

TEST_CASE("charts of GPUs: the numbers of the analysis") {
  for (const std::uint64_t seed : seeds(10)) {
    CAPTURE(seed);
    const RunData data = run_of(gen_gpu_trace(seed));
    const GpuActivity& activity = *data.gpu;
    ChartQuestion question;
    question.settings.set(kLeastGap, "0.05");
    CHECK(least_gap(question.settings) == 50);
    const auto use = gpu_charts(data, question);
    const Chart& time = chart_called(use, "gpu_time");
    REQUIRE(time.table->rows.size() == activity.gpus.size());
    for (std::size_t g = 0; g < activity.gpus.size(); ++g) {
      CHECK(time.table->rows[g][0] == activity.gpus[g].name);
      CHECK(time.table->rows[g][2] == format_duration(activity.gpus[g].time.busy()));
      double percent = 0;
      for (const ChartSeries& series : time.series) percent += series.y[g];
      CHECK(percent == doctest::Approx(100));
    }
    const Chart& map = chart_called(use, "gpu_use");
    CHECK(map.cells.has_value() == (activity.gpus.size() > 1));
    for (std::size_t g = 0; g < activity.gpus.size() && map.cells; ++g) {
      double busy = 0;
      for (std::size_t b = 0; b < activity.bins(); ++b) busy += map.cells->value[g * activity.bins() + b];
      CHECK(busy * static_cast<double>(activity.bin) / 100 == doctest::Approx(static_cast<double>(activity.gpus[g].time.busy())));
    }
    const GpuGaps gaps = find_gaps(activity, 50, test_pool());
    const auto listed = gpu_gap_charts(data, question);
    const Chart& list = chart_called(listed, "gpu_gaps");
    REQUIRE((list.table ? list.table->rows.size() : 0) == gaps.gaps.size());
    double idle = 0;
    for (const ChartSeries& series : chart_called(listed, "gpu_gap_causes").series) {
      for (const double y : series.y) idle += y;
    }
    double total = 0;
    for (const GpuGap& gap : gaps.gaps) total += to_seconds(gap.time.length());
    CHECK(idle == doctest::Approx(total));
    for (std::size_t i = 0; i < gaps.gaps.size(); ++i) {
      const ChartPlace& place = list.places[list.table->targets[i].id];
      CHECK(place.range == gaps.gaps[i].time);
      CHECK(place.slice == gaps.gaps[i].after);
      CHECK(place.marked);
    }
  }
}

TEST_CASE("charts of GPUs: one GPU of several, over time") {
  TraceSketch sketch;
  add_gpu_rank(sketch, 0);
  add_gpu_rank(sketch, 1);
  sketch.slice("r0 gpu 7", 0, 1000, "gemm", {}, "kernel").slice("r1 gpu 7", 0, 500, "gemm", {}, "kernel");
  const RunData data = run_of(sketch);
  ChartQuestion question;
  CHECK(gpu_controls(data, question.settings).size() == 2);
  question.settings.set(kGpuShown, "rank 1, GPU 1");
  CHECK(gpu_controls(data, question.settings).size() == 1);
  const Chart chart = gpu_charts(data, question)[1];
  REQUIRE(chart.series.size() == 1);
  CHECK(chart.series[0].name == "compute");
  CHECK(std::ranges::count(chart.series[0].y, 100.0) * data.gpu->bin == 500);
}

TEST_CASE("charts of GPUs: why there is nothing") {
  TraceSketch sketch;
  add_gpu_rank(sketch, 0);
  sketch.slice("r0 gpu 7", 0, 1000, "gemm", {}, "kernel");
  const RunData data = run_of(sketch);
  CHECK(gpu_gap_charts(data, {})[1].empty == "No gap is that long");
  CHECK_FALSE(gpu_overlap_charts(data, {})[0].empty.empty());
  CHECK_FALSE(api_wait_charts(data, {})[0].empty.empty());
  CHECK_FALSE(launch_delay_charts(data, {})[0].empty.empty());
  CHECK_FALSE(pace_charts(data, {})[0].empty.empty());
  ChartQuestion question;
  question.settings.set(kSummaryOf, "memory");
  CHECK(gpu_summary_charts(data, question)[0].empty == "There are no copies and memsets");
  TraceSketch no_gpu;
  no_gpu.lane("t", RowRule::Nest).slice("t", 0, 10, "gemm", {}, "kernel");
  CHECK_FALSE(run_of(no_gpu).has(RunPart::Gpu));
}

TEST_CASE("short_kernel: without return type, namespaces and parameters; arguments go before the name") {
  CHECK(short_kernel("void at::native::reduce_kernel<512, 1>(float*, int)") == "reduce_kernel<512, 1>");
  CHECK(short_kernel("void (anonymous namespace)::softmax<float>(float*)") == "softmax<float>");
  CHECK(short_kernel("ncclDevKernel_AllReduce(ncclDevKernelArgsStorage<4096ul>)") == "ncclDevKernel_AllReduce");
  CHECK(short_kernel("Memcpy HtoD (Pageable -> Device)") == "Memcpy HtoD (Pageable -> Device)");
  CHECK(short_kernel("aten::item") == "aten::item");
  CHECK(short_kernel("<built-in function zoom_shift>") == "<built-in function zoom_shift>");
  CHECK(short_kernel("elementwise<aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa>", 24) == "elementwise<aaaaa\u2026aaaaa>");
  CHECK(short_kernel("").empty());
  CHECK(short_kernel("()") == "()");
}
