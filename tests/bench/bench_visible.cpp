// What a frame costs: 60 lanes of one row each at 1920 px, from the whole trace to one slice, each zoom with half
// the span of the one before. A frame's time depends on where nodes lie relative to pixels, so every zoom is drawn
// at many places. All of them are drawn once before they are timed, since vectors grow to the largest frame.
//   bench_visible [slices]      20 million by default; 100 million take 5 GB of memory
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

#include "app/stage/allocation_count.h"
#include "core/index/snapshot.h"
#include "core/query/range_stats.h"
#include "core/query/search/search.h"
#include "core/query/search/search_hits.h"
#include "core/view/timeline/timeline_frame.h"
#include "tests/support/gen_trace.h"
#include "tests/support/store_trace.h"

namespace {

using namespace tv;
using namespace tv::test;

constexpr std::size_t kRows = 60;
constexpr std::uint32_t kWidth = 1'920;
constexpr int kViews = 200;  // per zoom
constexpr double kGoalMs = 4;

// This program's processor time, which other programs disturb less than wall-clock time.
double cpu_ms() { return static_cast<double>(std::clock()) * (1e3 / CLOCKS_PER_SEC); }

double ms_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

double quantile(std::vector<double> values, double p) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(p * static_cast<double>(values.size() - 1))];
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t slices = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 20'000'000;
  Snapshot snapshot;
  auto trace = make_store_trace(slices, kRows);
  if (const std::string broken = check_invariants(*trace); !broken.empty()) {
    std::fprintf(stderr, "%s\n", broken.c_str());
    return 1;
  }
  const auto count = static_cast<double>(trace->slices.size());

  auto start = std::chrono::steady_clock::now();
  snapshot.index = build_index(*trace, test_pool());
  std::printf("index of %.1f M slices: %.0f ms, %.2f bytes per slice (trace: %.1f)\n", count / 1e6,
              ms_since(start), static_cast<double>(snapshot.index->bytes()) / count,
              static_cast<double>(trace->bytes()) / count);
  snapshot.trace = trace;

  const Palette palette(trace->labels, ThemeKind::Dark);
  LaneMetrics metrics;
  const LaneLayout layout(*trace, {}, metrics);
  FrameParams params;
  params.width_px = kWidth;
  params.height_px = static_cast<float>(layout.height());
  params.palette = &palette;

  std::printf("\n%u px, %zu rows, %d views per zoom\n", kWidth, kRows, kViews);
  std::printf("%12s %10s %10s %10s %7s %9s %9s %8s %8s %7s\n", "span", "zoom", "visits p50", "visits max",
              "rects", "cpu ms 50", "cpu ms 99", "ms p50", "ms p99", "allocs");
  FrameBuilder builder;
  TimelineFrame frame;
  Random random(2);
  const auto extent = static_cast<double>(trace->extent.length());
  double worst = 0, worst_cpu = 0;
  for (double zoom = 1; extent / zoom > 500; zoom *= 2) {
    const double span = extent / zoom;
    std::vector<Viewport> views;
    for (int i = 0; i < kViews; ++i) views.push_back({random.unit() * (extent - span), span});
    for (const Viewport& view : views) builder.build(snapshot, layout, view, params, frame);
    std::vector<double> ms, cpu, visits, rects;
    std::uint64_t allocated = 0;
    for (const Viewport& view : views) {
      const std::uint64_t before = allocations_of_this_thread();
      const double cpu_before = cpu_ms();
      start = std::chrono::steady_clock::now();
      builder.build(snapshot, layout, view, params, frame);
      const double took = ms_since(start), cpu_took = cpu_ms() - cpu_before;
      allocated += allocations_of_this_thread() - before;
      ms.push_back(took);
      cpu.push_back(cpu_took);
      visits.push_back(static_cast<double>(frame.stats.nodes_visited));
      rects.push_back(frame.stats.rects);
    }
    worst = std::max(worst, quantile(ms, 0.99));
    worst_cpu = std::max(worst_cpu, quantile(cpu, 0.99));
    std::printf("%12s %9.0fx %10.0f %10.0f %7.0f %9.3f %9.3f %8.3f %8.3f %7.2f\n",
                format_duration(static_cast<Ns>(span)).c_str(), zoom, quantile(visits, 0.5), quantile(visits, 1),
                quantile(rects, 0.5), quantile(cpu, 0.5), quantile(cpu, 0.99), quantile(ms, 0.5),
                quantile(ms, 0.99), static_cast<double>(allocated) / kViews);
  }
  std::printf("worst p99: %.3f ms of processor time, %.3f ms (goal %.0f)\n", worst_cpu, worst, kGoalMs);

  start = std::chrono::steady_clock::now();
  const RangeStats stats = range_stats(*trace, {}, test_pool());
  std::printf("\nstatistics of all %llu slices: %.0f ms\n", static_cast<unsigned long long>(stats.count),
              ms_since(start));
  const LabelSet found = find_labels(trace->labels, "kernel_17");
  start = std::chrono::steady_clock::now();
  const std::uint64_t hits = SearchHits(*trace, found, nullptr, test_pool()).count();
  std::printf("count of %llu hits: %.1f ms\n", static_cast<unsigned long long>(hits), ms_since(start));
  return 0;
}
