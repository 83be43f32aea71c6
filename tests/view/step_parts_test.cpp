// Parts of profiler steps and pipeline steps: in the strip, the chart, the lanes and a tooltip.
#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <string>

#include "core/analysis/gpu/gpu_marks.h"
#include "core/session/load/load_job.h"
#include "core/view/charts/gpu/charts_gpu.h"
#include "core/view/details/slice_tooltip.h"
#include "core/view/timeline/step_strip.h"
#include "core/view/timeline/timeline_frame.h"
#include "tests/support/gen_gpu.h"
#include "tests/support/gen_pipeline.h"

using namespace tv;
using namespace tv::test;

namespace {

constexpr int kMarkedSteps = 5, kLongStep = 3;

// Two ranks: each step computes 400 ns, exposes communication for 300 (rank 1) or 100 (rank 0), copies 50; the long one is
// idle for longer.
TraceSketch ranks_with_steps() {
  TraceSketch sketch;
  Ns begin = 0;
  for (const int rank : {0, 1}) add_gpu_rank(sketch, rank);
  for (int step = 0; step < kMarkedSteps; ++step) {
    const Ns length = step == kLongStep ? 2000 : 1000;
    for (const int rank : {0, 1}) {
      const std::string r = "r" + std::to_string(rank);
      sketch.slice(r + " cpu", begin, length, "iteration " + std::to_string(step), {}, "nvtx")
          .slice(r + " gpu 7", begin + 50, 50, "Memcpy HtoD (Pageable -> Device)", {}, "gpu_memcpy")
          .slice(r + " gpu 7", begin + 100, 400, "gemm", {}, "kernel")
          .slice(r + " gpu 22", begin + 400, 200 + 200 * rank, "ncclDevKernel_AllReduce", {}, "kernel");
    }
    begin += length;
  }
  return sketch;
}

double part_seconds(const StepBar& bar, StepPart of) { return bar.part[static_cast<std::size_t>(of)]; }
bool bar_says(const StepBar& bar, std::string_view words) { return bar.text.find(words) != std::string::npos; }

}  // namespace

TEST_CASE("step_strip: marked steps show what the GPUs did, and which GPU was worst") {
  const auto trace = ranks_with_steps().build();
  const auto activity = make_gpu_activity(trace, test_pool());
  const std::vector<StepSource> sources = steps_of(*trace, nullptr);
  const auto marks = make_gpu_marks(activity, &sources, test_pool());
  const StepStrip strip = step_strip(*activity, sources, marks->steps, 0);
  REQUIRE(strip.bars.size() == kMarkedSteps);
  CHECK(strip.of == "mean of 2 GPUs");
  CHECK(!strip.has(StepPart::Whole));
  for (const StepBar& bar : strip.bars) {
    CAPTURE(bar.text);
    const bool longer = &bar == &strip.bars[kLongStep];
    CHECK(part_seconds(bar, StepPart::Compute) == doctest::Approx(400e-9));
    CHECK(part_seconds(bar, StepPart::Exposed) == doctest::Approx(200e-9));
    CHECK(part_seconds(bar, StepPart::Copies) == doctest::Approx(50e-9));
    CHECK(part_seconds(bar, StepPart::Idle) == doctest::Approx((longer ? 1350 : 350) * 1e-9));
    CHECK(std::accumulate(bar.part.begin(), bar.part.end(), 0.0) == doctest::Approx(bar.seconds));
    CHECK((bar.factor > 0) == longer);
    CHECK(bar_says(bar, "most exposed: rank 1, GPU 1, 300 ns"));
    CHECK(bar_says(bar, longer ? "most idle: rank 0, GPU 0, 1.45 µs" : "most idle: rank 0, GPU 0, 450 ns"));
    CHECK(bar_says(bar, "100 ns of it overlapping communication"));
  }
  // Without recognised communication, the text says so. Without data of a GPU, the parts of a step are unknown.
  TraceSketch alone;
  add_gpu_rank(alone, 0);
  alone.slice("r0 cpu", 0, 100, "step 1", {}, "nvtx").slice("r0 cpu", 100, 100, "step 2", {}, "nvtx");
  alone.slice("r0 gpu 7", 20, 40, "gemm", {}, "kernel");
  const auto computing = alone.build();
  const auto of_it = make_gpu_activity(computing, test_pool());
  const std::vector<StepSource> steps = steps_of(*computing, nullptr);
  const StepStrip one = step_strip(*of_it, steps, make_gpu_marks(of_it, &steps, test_pool())->steps, 0);
  CHECK(bar_says(one.bars[0], "No kernel was recognised as communication"));
  CHECK(bar_says(one.bars[1], "Nothing ran on the GPU"));
  CHECK(one.of == "GPU 0");
  const StepStrip unknown = step_strip(*of_it, steps, std::vector<GpuSteps>(1), 0);
  CHECK(unknown.has(StepPart::Whole));
  CHECK(!unknown.has(StepPart::Idle));
  CHECK(bar_says(unknown.bars[0], "unknown, because no GPU"));
}

TEST_CASE("gpu_steps chart: it has the numbers of the strip, and every GPU in its table") {
  const auto trace = ranks_with_steps().build();
  const RunData data = analyse_run(trace, test_pool());
  const std::vector<Chart> charts = gpu_step_charts(data, {});
  REQUIRE(charts.size() == 1);
  const Chart& chart = charts.front();
  REQUIRE(chart.series.size() == 4);
  CHECK(chart.series[1].name == "exposed communication");
  CHECK(chart.series[1].y[2] == doctest::Approx(200e-9));
  REQUIRE(chart.table);
  CHECK(chart.table->rows.size() == 2 * kMarkedSteps);
  CHECK(chart.table->rows[1][1].text == "rank 1, GPU 1");
  CHECK(chart.table->rows[1][6].text == "300 ns");
  CHECK(chart.places[chart.table->targets[7].id].range == TimeRange{3000, 5000});
  ChartQuestion question;
  question.area = Scope{{1100, 2500}, {}, {}};
  CHECK(gpu_step_charts(data, question).front().x.categories == std::vector<std::string>{"1", "2"});
}

TEST_CASE("step_strip: pipeline steps consist of forward, backward, other work and idle time") {
  const TempDir folder;
  PipelinePlan plan;
  plan.steps = 3;
  plan.optimizer = 5 * kMillisecond;
  write_logs(folder, "run", plan, 2);
  const auto trace = load_snapshot({folder.path()}, test_pool())->trace;
  const std::vector<StepSource> sources = steps_of(*trace, nullptr);
  const auto runs = pipeline_summaries(trace->pipeline);
  const auto strip = step_strip(sources.front(), runs);
  REQUIRE(strip);
  REQUIRE(strip->bars.size() == 3);
  CHECK(strip->of == "mean of 4 stages");
  for (std::size_t s = 0; s < 3; ++s) {
    const StepBar& bar = strip->bars[s];
    CHECK(part_seconds(bar, StepPart::Forward) == doctest::Approx(8 * 0.010));
    CHECK(part_seconds(bar, StepPart::Backward) == doctest::Approx(8 * 0.020));
    CHECK(part_seconds(bar, StepPart::OtherWork) == doctest::Approx(0.005));
    CHECK(part_seconds(bar, StepPart::Idle) == doctest::Approx(runs[0].steps[s].bubble * bar.seconds));
    CHECK(bar.seconds == doctest::Approx(to_seconds(sources.front().steps[s].range.length())));
  }
  StepSource other = sources.front();
  other.kind = StepsOf::Marked;
  CHECK(!step_strip(other, runs));
}

TEST_CASE("timeline_frame: exposed communication is a line below its stream, at every zoom") {
  const Snapshot snapshot = snapshot_of(ranks_with_steps().build());
  const auto activity = make_gpu_activity(snapshot.trace, test_pool());
  const ExposedTime exposed = exposed_time(*activity, test_pool());
  const Palette palette(snapshot.trace->labels, ThemeKind::Dark);
  const LaneLayout layout(*snapshot.trace, {}, {});
  FrameParams params;
  params.width_px = 100;
  params.height_px = 2000;
  params.palette = &palette;
  params.exposed = &exposed;
  params.exposed_color = 0xff0000ff;
  FrameBuilder builder;
  TimelineFrame frame;
  std::size_t lines = 0;
  for (const Viewport view : {Viewport{0, 6000}, Viewport{0, 1000}, Viewport{550, 100}, Viewport{790, 20}}) {
    builder.build(snapshot, layout, view, params, frame);
    for (const LaneBox& box : layout.boxes()) {
      const ExposedSpans* const spans = exposed.of(box.lane);
      if (!spans || box.group) continue;
      const auto strip = std::ranges::find_if(frame.strips, [&](const StripItem& s) {
        return s.y == static_cast<float>(box.bottom()) && s.height == params.exposed_px;
      });
      const auto first = static_cast<Ns>(view.begin), last = static_cast<Ns>(view.end());
      if (spans->within({first, last}) == 0) {
        CHECK(strip == frame.strips.end());
        continue;
      }
      REQUIRE(strip != frame.strips.end());
      ++lines;
      for (std::uint32_t x = 0; x < params.width_px; ++x) {
        const auto begin = static_cast<Ns>(view.begin + view.span * x / 100),
                   end = static_cast<Ns>(view.begin + view.span * (x + 1) / 100);
        if (begin == end) continue;
        CAPTURE(x);
        CHECK((frame.texels[strip->first_texel + x] != 0) == (spans->within({begin, end}) > 0));
      }
    }
  }
  CHECK(lines >= 6);
  params.exposed = nullptr;
  builder.build(snapshot, layout, {0, 6000}, params, frame);
  CHECK(std::ranges::none_of(frame.strips, [&](const StripItem& s) { return s.height == params.exposed_px; }));
}

TEST_CASE("slice_tooltip: communication kernels say how much of them is exposed") {
  const auto trace = ranks_with_steps().build();
  const auto marks = make_gpu_marks(make_gpu_activity(trace, test_pool()), nullptr, test_pool());
  std::size_t said = 0;
  for (std::size_t s = 0; s < trace->slices.size(); ++s) {
    const SliceTooltip tooltip = slice_tooltip(*trace, nullptr, nullptr, id_at<SliceId>(s), marks.get());
    const auto line = std::ranges::find(tooltip.lines, "exposed", &SliceTooltip::Line::word);
    const bool communicates = tooltip.title.starts_with("nccl");
    CHECK((line != tooltip.lines.end()) == communicates);
    if (!communicates) continue;
    ++said;
    CHECK(line->value == (trace->slices.duration[s] == 200 ? "100 ns of it (50 %): not hidden by computing"
                                                           : "300 ns of it (75 %): not hidden by computing"));
  }
  CHECK(said == 2 * kMarkedSteps);
}

TEST_CASE("timeline_frame: a pipeline job too narrow for a name has the number of its micro-batch") {
  TraceSketch sketch;
  sketch.lane("a", RowRule::Nest)
      .slice("a", 0, 25, "forward_3", {}, "forward")
      .slice("a", 50, 25, "gemm", {}, "kernel");
  const Snapshot snapshot = snapshot_of(sketch.build());
  const Palette palette(snapshot.trace->labels, ThemeKind::Dark);
  const LaneLayout layout(*snapshot.trace, {}, {});
  FrameParams params;
  params.width_px = 100;
  params.height_px = 100;
  params.palette = &palette;
  FrameBuilder builder;
  TimelineFrame frame;
  builder.build(snapshot, layout, {0, 100}, params, frame);
  REQUIRE(frame.rects.size() == 2);
  REQUIRE(frame.texts.size() == 1);
  CHECK(snapshot.trace->labels.name(frame.texts[0].label) == "forward_3");
}
