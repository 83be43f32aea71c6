// Growth kinds for single parts of the view. Their inputs are too large to come from files.
#include "core/analysis/collectives/collective_waits.h"
#include "core/view/charts/gpu/charts_gpu.h"
#include "core/view/charts/rollout/charts_run.h"
#include "core/view/lanes/first_view.h"
#include "core/view/timeline/measured_spans.h"
#include "core/view/words/short_name.h"
#include "tests/growth/stages.h"
#include "tests/support/gen_gpu.h"
#include "tests/support/hand_rollout.h"

using namespace tv;
using namespace tv::test;

namespace {

std::shared_ptr<const Trace> streams_of_two_ranks(std::size_t n) {
  TraceSketch sketch;
  for (const char* const rank : {"rank 0", "rank 1"}) {
    for (std::size_t s = 0; s < n; ++s) {
      const std::string track = fmt::format("{} stream {}", rank, s);
      LaneSpec lane;
      lane.path = {{rank}, {"GPU"}, {fmt::format("stream {}", s)}};
      lane.kind = LaneKind::Stream;
      sketch.lane(track, lane).slice(track, 0, 1000 + static_cast<Ns>(s % 100), "gemm", {}, "kernel");
    }
  }
  return sketch.build();
}

const GrowthKind kViewKinds[] = {
    {"streams of two ranks that do not fit", 1280, [](Meter& meter, std::size_t n) {
       const Snapshot snapshot = snapshot_of(streams_of_two_ranks(n));
       meter.stage("first view", [&] {
         const FirstView view = first_view(*snapshot.trace, *snapshot.index, LaneMetrics(), 100);
         CHECK(view.lanes.size() < 20);
       });
     }},
    {"steps before an area", 1000, [](Meter& meter, std::size_t n) {
       HandRollout hand;
       for (std::size_t s = 0; s < n; ++s) {
         const auto step = static_cast<int>(s);
         for (const int worker : {0, 1}) {
           hand.add({.step = step, .worker = worker, .begin = 10.0 * step, .seconds = 1.0 + worker});
           hand.phase({.step = step, .worker = worker, .end = 10.0 * step + 3, .seconds = 2.0 - worker});
         }
       }
       const auto rollout = hand.build();
       ChartQuestion question;
       question.requests = all_requests(*rollout);
       question.area = Scope{rollout->steps.back().extent};
       meter.stage("blame", [&] { CHECK(blame_charts(*rollout, question).front().empty.empty()); });
     }},
    {"collectives of many names", 640, [](Meter& meter, std::size_t n) {
       TraceSketch sketch;
       for (const int rank : {0, 1}) {
         add_gpu_rank(sketch, rank);
         for (std::size_t i = 0; i < n; ++i) {
           const Ns begin = static_cast<Ns>(i) * kMillisecond + rank * 10 * kMicrosecond;
           sketch.slice(fmt::format("r{} gpu 22", rank), begin, static_cast<Ns>(i + 1) * kMillisecond - begin - 500 * kMicrosecond,
                        fmt::format("ncclDevKernel_{}x", i), {}, "kernel");
         }
       }
       const RunData data = analyse_run(sketch.build(), test_pool());
       CHECK(data.waits->collectives.size() == n);
       meter.stage("overlap", [&] { gpu_overlap_charts(data, {}); });
     }},
    {"processes of an area", 96, [](Meter& meter, std::size_t n) {
       TraceSketch sketch;
       for (std::size_t rank = 0; rank < n; ++rank) {
         add_gpu_rank(sketch, static_cast<int>(rank));
         sketch.slice(fmt::format("r{} gpu 7", rank), 0, 1000, "gemm", {}, "kernel");
       }
       const RunData data = analyse_run(sketch.build(), test_pool());
       ChartQuestion question;
       question.area = Scope{{0, 900}};
       for (std::size_t l = 0; l < data.trace->lanes.size(); ++l) question.area->lanes.push_back(id_at<LaneId>(l));
       meter.stage("time by name", [&] { gpu_summary_charts(data, question); });
     }},
    {"measured spans that overlap", 1000, [](Meter& meter, std::size_t n) {
       std::vector<TimeRange> spans;
       for (std::size_t i = 0; i < n; ++i) spans.push_back({static_cast<Ns>(i), static_cast<Ns>(n + i)});
       std::vector<SpanBar> bars;
       meter.stage("place", [&] { place_spans(spans, {0, static_cast<double>(2 * n)}, 1000, 10, bars); });
       CHECK(bars.size() == n);
     }},
    {"templates within templates", 4000, [](Meter& meter, std::size_t n) {
       std::string name = "void f<";
       for (std::size_t i = 0; i < n; ++i) name += "abc<";
       name += "int" + std::string(n, '>') + ">(int)";
       meter.stage("short names", [&] { CHECK(name_forms("kernel", name)[2] == "f"); });
     }},
};

}  // namespace

TEST_SUITE("growth") {
  TEST_CASE("growth: single parts of the view cost at most n log n") { check_growth(kViewKinds); }
}
