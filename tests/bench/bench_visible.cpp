// What a frame costs with twenty million slices: 60 lanes of one row each, a third of a million slices per
// row, drawn from all the way out to a microsecond.   bench_visible [slices]
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "core/index/snapshot.h"
#include "core/query/range_stats.h"
#include "core/query/search.h"
#include "core/view/timeline_frame.h"
#include "tests/support/gen_trace.h"

namespace {

using namespace tv;
using namespace tv::test;

constexpr std::size_t kRows = 60;
constexpr std::uint32_t kWidth = 2'000;

double ms_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

// Straight into the columns: reading and building are measured elsewhere.
std::shared_ptr<Trace> make_trace(std::size_t slices) {
  auto trace = std::make_shared<Trace>();
  Random random(1);
  std::vector<LabelId> labels;
  for (int i = 0; i < 200; ++i)
    labels.push_back(trace->labels.intern("kernel", "kernel_" + std::to_string(i)));
  const std::size_t per_row = slices / kRows;
  trace->slices.resize(per_row * kRows);
  Ns end = 0;
  for (std::size_t r = 0; r < kRows; ++r) {
    Lane lane;
    lane.name = "stream " + std::to_string(r);
    lane.kind = LaneKind::Stream;
    lane.subtree_end = id_at<LaneId>(r + 1);
    lane.first_row = static_cast<std::uint32_t>(r);
    lane.row_count = 1;
    lane.slices = per_row;
    trace->lanes.push_back(lane);
    trace->rows.push_back({id_at<LaneId>(r), RowKind::Slices, 0, 0, static_cast<std::uint32_t>(r * per_row),
                           static_cast<std::uint32_t>(per_row)});
    Ns t = 0;
    for (std::size_t i = r * per_row; i < (r + 1) * per_row; ++i) {
      // Mostly small kernels, now and then a long one, bursts and pauses.
      t += random.chance(0.001) ? random.in(0, 1'000'000) : random.in(0, 2'000);
      const Ns duration = random.chance(0.01) ? random.in(0, 500'000) : random.in(500, 20'000);
      trace->slices.begin[i] = t;
      trace->slices.duration[i] = trace->slices.self[i] = duration;
      trace->slices.label[i] = labels[random.next() % labels.size()];
      t += duration;
    }
    end = std::max(end, t);
  }
  trace->extent = {0, end};
  trace->slice_count = trace->slices.size();
  return trace;
}

double quantile(std::vector<double> values, double p) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(p * static_cast<double>(values.size() - 1))];
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t slices = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 20'000'000;
  Snapshot snapshot;
  auto trace = make_trace(slices);
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

  std::printf("\n%12s %10s %12s %12s %8s %8s\n", "span", "zoom", "visits p50", "visits max", "ms p50",
              "ms p99");
  FrameBuilder builder;
  TimelineFrame frame;
  Random random(2);
  const auto extent = static_cast<double>(trace->extent.length());
  for (double zoom = 1; extent / zoom > 1'000; zoom *= 4) {
    std::vector<double> ms, visits;
    for (int i = 0; i < 100; ++i) {
      const double span = extent / zoom;
      const Viewport view{random.unit() * (extent - span), span};
      start = std::chrono::steady_clock::now();
      builder.build(snapshot, layout, view, params, frame);
      ms.push_back(ms_since(start));
      visits.push_back(static_cast<double>(frame.stats.nodes_visited));
    }
    std::printf("%12s %9.0fx %12.0f %12.0f %8.3f %8.3f\n",
                format_duration(static_cast<Ns>(extent / zoom)).c_str(), zoom, quantile(visits, 0.5),
                quantile(visits, 1), quantile(ms, 0.5), quantile(ms, 0.99));
  }

  start = std::chrono::steady_clock::now();
  const RangeStats stats = range_stats(*trace, {}, test_pool());
  std::printf("\nstatistics of all %llu slices: %.0f ms\n", static_cast<unsigned long long>(stats.count),
              ms_since(start));
  const LabelSet found = find_labels(trace->labels, "kernel_17");
  start = std::chrono::steady_clock::now();
  const std::uint64_t hits = count_hits(*trace, found, test_pool());
  std::printf("count of %llu hits: %.1f ms\n", static_cast<unsigned long long>(hits), ms_since(start));
  return 0;
}
