// GPU charts: well formed for any trace and settings, with the numbers of the analysis.
#include "core/view/charts/gpu/charts_gpu.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/analysis/gpu/gpu_gaps.h"
#include "core/view/charts/gpu/gpu_chart_parts.h"
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
    if (!place.marked) CHECK(trace.begin_of(place.slice) == place.range.begin);
  }
}

// Charts of every kind, with these settings.
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

using Facts = std::vector<std::pair<std::string, std::string>>;
Facts facts_of(const Chart& chart) {
  Facts facts;
  for (const ChartFact& fact : chart.facts) facts.emplace_back(fact.name, fact.value.text);
  return facts;
}

}  // namespace

TEST_CASE("charts_gpu: different kernels have different short names in a table") {
  const std::string head = "sm80_xmma_gemm_f32f32_f32f32_f32_tn_n_tilesize", tail = "_stage3_warpsize2x2x1_ffma_aligna4_alignc4_execute_kernel__5x_cublas";
  const std::vector<std::string> names = {head + "128x64x8" + tail, head + "64x64x8" + tail, head + "256x128x8" + tail, "gemm(int)", "gemm(float)", "relu"};
  const std::vector<std::string> cells = short_kernels(names, 40);
  REQUIRE(cells.size() == names.size());
  for (std::size_t i = 0; i < cells.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) CHECK(cells[i] != cells[k]);
  }
  CHECK(cells[0].find("128x64") != std::string::npos);
  CHECK(cells[3] == "gemm(int)");
  CHECK(cells[5] == "relu");
}

TEST_CASE("charts of GPUs: an area limits every chart, and every title names it") {
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
      const std::string_view category = trace.labels.category(trace.slices.label[s]);
      if (category != "kernel" && category != "cuda_graph") continue;  // a graph stands for its kernels
      const Ns from = trace.slices.begin[s];
      total += clip_to({from, from + trace.slices.duration[s]}, question.area->range).length();
    }
    const std::string title = make_charts(*kernels, data, question).front().title;
    if (total > 0) CHECK(title.find(", " + format_duration(total) + ", in step 9") != std::string::npos);
  }
}

TEST_CASE("charts of GPUs: every chart is well formed with every setting") {
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

TEST_CASE("charts of GPUs: charts show the numbers of the analysis") {
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
    // The panel has room for five or six columns, so the main ones come first. If there are CUDA graphs, their time follows
    // the compute time.
    const bool graphs = std::ranges::any_of(activity.gpus, [](const Gpu& gpu) { return gpu.time.graphs() > 0; });
    std::vector<std::string> expected = {"busy %", "compute", "communication", "exposed", "idle"};
    if (graphs) expected.insert(expected.begin() + 2, "graphs");
    bool parts_only = false;
    for (std::size_t g = 0; g < activity.gpus.size(); ++g) {
      parts_only |= to_seconds(activity.gpus[g].span.length()) < 0.995 * to_seconds((*data.captures)[g].recorded.length());
    }
    if (parts_only) expected.insert(expected.begin() + 1, "of recording %");
    std::vector<std::string> first;
    for (std::size_t c = 1; c <= expected.size(); ++c) first.push_back(time.table->columns[c].title);
    CHECK(first == expected);
    const std::size_t busy_column = 8u + (graphs ? 1u : 0u) + (parts_only ? 1u : 0u);
    CHECK(time.table->columns[busy_column].title == "busy");
    for (std::size_t g = 0; g < activity.gpus.size(); ++g) {
      CHECK(time.table->rows[g][0] == activity.gpus[g].name);
      CHECK(time.table->rows[g][busy_column] == format_duration(activity.gpus[g].time.busy()));
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
      const auto cell = [&](std::string_view column) {
        const auto at = std::ranges::find(list.table->columns, column, &ChartTable::Column::title);
        REQUIRE(at != list.table->columns.end());
        return list.table->rows[i][static_cast<std::size_t>(at - list.table->columns.begin())];
      };
      CHECK(cell("began after") == slice_text(*activity.trace, gaps.gaps[i].before, 40));
      CHECK(cell("ended before") == slice_text(*activity.trace, gaps.gaps[i].after, 40));
    }
  }
}

TEST_CASE("charts of GPUs: one GPU of several can be shown over time") {
  TraceSketch sketch;
  add_gpu_rank(sketch, 0);
  add_gpu_rank(sketch, 1);
  sketch.slice("r0 gpu 7", 0, 1000, "gemm", {}, "kernel").slice("r1 gpu 7", 0, 500, "gemm", {}, "kernel");
  const RunData data = run_of(sketch);
  ChartQuestion question;
  CHECK(gpu_controls(data, question.settings).size() == 3);
  question.settings.set(kGpuShown, "rank 1, GPU 1");
  CHECK(gpu_controls(data, question.settings).size() == 2);
  const Chart chart = gpu_charts(data, question)[1];
  REQUIRE(chart.series.size() == 1);
  CHECK(chart.series[0].name == "compute");
  CHECK(std::ranges::count(chart.series[0].y, 100.0) * data.gpu->bin == 500);
}

TEST_CASE("charts of GPUs: one GPU is shown over the whole recording, and the title names its share of it") {
  TraceSketch sketch;
  add_gpu_rank(sketch, 0);
  sketch.slice("r0 cpu", 0, 1000, "main", {}, "python_function").slice("r0 gpu 7", 600, 300, "gemm", {}, "kernel");
  const std::vector<Chart> charts = gpu_charts(run_of(sketch), {});
  CHECK(charts[0].title == "What GPU 0 did from first work to last, 30.0 % of the recording");
  REQUIRE(charts[0].table);
  CHECK(charts[0].table->columns[2].title == "of recording %");
  CHECK(charts[0].table->rows[0][2].text == "30.0");
  CHECK(charts[1].x.least == 0);
  CHECK(charts[1].x.most == to_seconds(1000));
}

TEST_CASE("charts of GPUs: the map is empty where a GPU was not recorded, and 0 where it was idle") {
  constexpr Ns kLength = 10'000;
  TraceSketch sketch;
  add_gpu_rank(sketch, 0);
  add_gpu_rank(sketch, 1);
  sketch.slice("r0 cpu", 0, kLength, "main", {}, "python_function").slice("r0 gpu 7", 0, 2000, "gemm", {}, "kernel");
  sketch.slice("r1 cpu", 3 * kLength, kLength, "main", {}, "python_function").slice("r1 gpu 7", 3 * kLength, kLength, "gemm", {}, "kernel");
  const RunData data = run_of(sketch);
  const Chart chart = gpu_charts(data, {})[1];
  REQUIRE(chart.cells);
  const std::size_t bins = data.gpu->bins();
  for (std::size_t b = 0; b < bins; ++b) {
    const TimeRange bin = data.gpu->bin_range(b);
    CAPTURE(bin.begin);
    CHECK(std::isnan(chart.cells->value[b]) == (bin.begin >= kLength));
    CHECK(std::isnan(chart.cells->value[bins + b]) == (bin.end <= 3 * kLength));
    if (bin.begin >= 2000 && bin.end <= kLength) CHECK(chart.cells->value[b] == 0);
  }
}

TEST_CASE("charts of GPUs: without recognised communication, its time is unknown until a rule matches") {
  TraceSketch sketch;
  add_gpu_rank(sketch, 0);
  sketch.slice("r0 gpu 7", 0, 1000, "gemm", {}, "kernel").slice("r0 gpu 22", 500, 1000, "my_exchange<8>", {}, "kernel");
  sketch.slice("r0 cpu", 0, 100, "gloo:all_reduce", {}, "user_annotation");
  const RunData data = run_of(sketch);
  CHECK_FALSE(data.gpu->communicates);
  ChartQuestion question;
  const auto cells = [&] { return gpu_charts(data, question)[0].table->rows[0]; };
  CHECK(cells()[3] == "-");
  CHECK(cells()[4] == "-");
  CHECK(facts_of(gpu_charts(data, question)[0]) ==
        Facts{{"communication", "nothing recognised"}, {"gloo on CPU threads", "1 range, " + format_duration(100)}});
  CHECK(gpu_overlap_charts(data, question)[0].empty.find("othing recognised as communication") != std::string::npos);

  question.settings.set(kCommunicationRules, "My_Exchange");
  CHECK(gpu_activity(data, question.settings)->communicates);
  CHECK(cells()[3] == format_duration(1000));
  CHECK(cells()[6] == format_duration(500));
  CHECK(cells()[4] == format_duration(500));
  CHECK(facts_of(gpu_charts(data, question)[0]) ==
        Facts{{"own pattern (my_exchange)", "1 kernel, " + format_duration(1000)}});
  CHECK(gpu_overlap_charts(data, question)[0].table->rows.size() == 1);
  check_all(data, question.settings);
}

TEST_CASE("charts of GPUs: if only an own pattern recognises communication, the chart of waits says that waits are unknown") {
  TraceSketch sketch;
  for (const int rank : {0, 1}) {
    add_gpu_rank(sketch, rank);
    sketch.slice("r" + std::to_string(rank) + " gpu 7", 0, 1000, "my_exchange<8>", {}, "kernel");
  }
  const RunData data = run_of(sketch);
  ChartQuestion question;
  question.settings.set(kCommunicationRules, "my_exchange");
  const auto why = [&] { return chart_called(gpu_overlap_charts(data, question), "collective_waits").empty; };
  CHECK(why().find("own pattern") != std::string::npos);
  CHECK(why().find("Only one GPU") == std::string::npos);
  // With only one GPU, the chart asks for the traces of the other ranks instead.
  TraceSketch one;
  add_gpu_rank(one, 0);
  one.slice("r0 gpu 7", 0, 1000, "my_exchange<8>", {}, "kernel");
  CHECK(chart_called(gpu_overlap_charts(run_of(one), question), "collective_waits").empty.find("Only one GPU") != std::string::npos);
}

TEST_CASE("charts of GPUs: facts list the rules that matched, and kernels that only look like communication") {
  TraceSketch sketch;
  add_gpu_rank(sketch, 0);
  add_gpu_rank(sketch, 1);
  for (const std::string rank : {"r0", "r1"}) {
    sketch.slice(rank + " gpu 7", 0, 1000, "gemm_all_reduce", {}, "kernel");
    sketch.slice(rank + " gpu 22", 0, 2000, "void deep_ep::internode::dispatch<8>(int)", {}, "kernel");
    sketch.slice(rank + " gpu 22", 2000, 1000, "ncclDevKernel_AllReduce", {}, "kernel");
  }
  const RunData data = run_of(sketch);
  CHECK(facts_of(gpu_charts(data, {})[0]) == Facts{{"DeepEP (*deep_ep*)", "2 kernels, " + format_duration(4000)},
                                               {"NCCL (*nccl*)", "2 kernels, " + format_duration(2000)},
                                               {"fused with a GEMM (*gemm*all*reduce*)",
                                                "2 kernels, " + format_duration(2000) + ", counted as computing"}});
  const GpuTime& time = data.gpu->gpus[0].time;
  CHECK(time.overlapped == 1000);
  CHECK(time.exposed == 2000);
  ChartQuestion question;
  question.settings.set(kCommunicationRules, "-deep_ep");
  const auto counted = gpu_activity(data, question.settings);
  CHECK(counted->gpus[0].time.overlapped == 0);
  CHECK(counted->gpus[0].time.exposed == 1000);
  CHECK(gpu_activity(data, {}) == data.gpu);
}

TEST_CASE("charts of devices: devices have the name that their vendor uses") {
  TraceSketch sketch;
  for (const std::string number : {"0", "1"}) {
    LaneSpec lane;
    lane.path = {{"rank " + number}, {"NPU " + number}, {"Ascend Hardware"}, {"Stream 2"}};
    lane.kind = LaneKind::Stream;
    sketch.lane("npu" + number, lane);
    sketch.slice("npu" + number, 0, 1000, "MatMul", {}, "").slice("npu" + number, 1000, 500, "EVENT_WAIT", {}, "");
  }
  const RunData data = run_of(sketch);
  REQUIRE(data.gpu->gpus.size() == 2);
  CHECK(data.gpu->gpus[0].name == "rank 0, NPU 0");
  CHECK(data.gpu->gpus[0].span.length() == 1000);  // waiting does not count as work
  CHECK(gpu_charts(data, {})[0].title == "What 2 NPUs did from first work to last");
  CHECK(gpu_charts(data, {})[0].table->columns[0].title == "NPU");
}

TEST_CASE("charts of GPUs: a chart without data says why") {
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

TEST_CASE("charts of GPUs: with more gaps than are listed, the note says how many the bars cover") {
  constexpr int kCount = 10'001;
  TraceSketch sketch;
  add_gpu_rank(sketch, 0);
  for (int n = 0; n <= kCount; ++n) sketch.slice("r0 gpu 7", n * 2 * kUsualGap, kUsualGap, "gemm", {}, "kernel");
  const RunData data = run_of(sketch);
  const Chart bars = gpu_gap_charts(data, {})[0];
  CHECK(bars.title.find("10,001 gaps") != std::string::npos);
  CHECK(bars.note.find("10,000 of the 10,001 gaps") != std::string::npos);
  CHECK(bars.table->columns.back().title == "other idle time");
  CHECK(bars.table->rows[0].back() == format_duration(kUsualGap));
  CHECK(gpu_gap_charts(run_of(gen_gpu_trace(1)), {})[0].note.find("The bars and causes cover") == std::string::npos);
}

TEST_CASE("charts of GPUs: gaps of decades count too, even if the next bar would begin beyond the greatest time") {
  constexpr Ns kDecades = 1'700'000'000 * kSecond;
  TraceSketch sketch;
  add_gpu_rank(sketch, 0);
  for (const Ns begin : {Ns{0}, kMillisecond, kMillisecond + 500 * kMicrosecond, kDecades})
    sketch.slice("r0 gpu 7", begin, kMicrosecond, "gemm", {}, "kernel");
  ChartQuestion question;
  question.settings.set(kLeastGap, "1");
  const std::vector<Chart> charts = gpu_gap_charts(run_of(sketch), question);
  const Chart& bars = chart_called(charts, "gpu_gap_causes");
  CHECK(flaw(Rollout(), bars) == "");
  REQUIRE_FALSE(bars.x.full_categories.empty());
  CHECK(bars.x.full_categories.front() == "200000");
  CHECK(bars.x.full_categories.back() == "1000000000000000000");
  REQUIRE_FALSE(bars.series.empty());
  double idle = 0;
  for (const ChartSeries& series : bars.series) {
    REQUIRE(series.y.size() == bars.x.categories.size());
    for (const double y : series.y) idle += y;
  }
  CHECK(idle == doctest::Approx(to_seconds(kDecades - 3 * kMicrosecond)));
}

TEST_CASE("short_kernel: return type, namespaces and parameters are dropped, template arguments are cut") {
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
