// CPU ranges projected to the GPU, against the literal definition: every range with every call with every piece of work.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>

#include "core/read/nsys/nvtx_projection.h"
#include "tests/support/gen_trace.h"

using namespace tv;
using namespace tv::test;

namespace {

struct Call {
  std::uint64_t launch;
  std::int64_t thread;
  Ns begin, end;
};
struct Range {
  std::int64_t thread;
  Ns begin, end;
};
using Projected = std::vector<std::vector<ProjectedRange>>;  // by range

Projected by_definition(const std::vector<GpuWork>& work, const std::vector<Call>& calls, const std::vector<Range>& ranges) {
  Projected out;
  for (const Range& range : ranges) {
    std::map<std::pair<std::int64_t, std::int64_t>, TimeRange> spans;
    for (const Call& call : calls) {
      if (call.thread != range.thread || call.begin < range.begin || range.end < call.end) continue;
      for (const GpuWork& piece : work) {
        if (piece.launch != call.launch || piece.device == GpuWork::kNowhere) continue;
        const auto [span, is_new] = spans.try_emplace({piece.process, piece.device}, TimeRange{piece.begin, piece.end});
        if (!is_new) span->second.include(piece.begin, piece.end);
      }
    }
    auto& of_range = out.emplace_back();
    for (const auto& [gpu, span] : spans) of_range.push_back({gpu.first, gpu.second, span.begin, span.end});
  }
  return out;
}

// As the reader does it: calls come in batches.
Projected project_ranges(const std::vector<GpuWork>& work, const std::vector<Call>& calls, const std::vector<Range>& ranges,
                         std::size_t batch = 7) {
  const LaunchedWork launched(work);
  std::vector<ThreadLaunches> launches;
  for (std::size_t first = 0; first < calls.size(); first += batch) {
    LaunchesByThread by_thread;
    for (std::size_t c = first; c < std::min(first + batch, calls.size()); ++c) {
      for (const GpuWork& piece : launched.of(calls[c].launch)) {
        if (piece.device != GpuWork::kNowhere) by_thread.add(calls[c].thread, calls[c].begin, calls[c].end, piece);
      }
    }
    for (ThreadLaunches& of_batch : by_thread.take()) launches.push_back(std::move(of_batch));
  }
  const GpuProjection projection(std::move(launches), test_pool());
  Projected out;
  for (const Range& range : ranges) projection.project(range.thread, range.begin, range.end, out.emplace_back());
  return out;
}

std::vector<Range> random_ranges(Random& random, std::int64_t threads, Ns end, int count) {
  std::vector<Range> out;
  for (int i = 0; i < count; ++i) {
    const Ns begin = random.in(0, end);
    out.push_back({random.in(1, threads), begin, begin + random.in(0, end / 3)});
  }
  return out;
}

}  // namespace

TEST_CASE("NVTX on the GPU: a range spans the work its calls launched, from the first begin to the last end") {
  const std::vector<GpuWork> work = {{1, 7, 0, 100, 120}, {2, 7, 0, 115, 150}, {2, 7, 1, 400, 410}, {3, 7, 0, 200, 210}};
  const std::vector<Call> calls = {{1, 5, 10, 12}, {2, 5, 20, 22}, {3, 5, 30, 40}, {3, 6, 11, 12}};
  const std::vector<Range> ranges = {
      {5, 0, 25},   // calls 1 and 2, on two GPUs
      {5, 9, 12},   // call 1, to the nanosecond
      {5, 11, 35},  // call 1 begins before, 3 ends after: only 2
      {5, 50, 60},  // none
      {6, 0, 99},   // the other thread's
  };
  const Projected expected = {{{7, 0, 100, 150}, {7, 1, 400, 410}}, {{7, 0, 100, 120}}, {{7, 0, 115, 150}, {7, 1, 400, 410}}, {},
                              {{7, 0, 200, 210}}};
  CHECK(project_ranges(work, calls, ranges) == expected);
}

TEST_CASE("NVTX on the GPU: without calls or work a range projects to nothing, and waiting is no work") {
  const std::vector<GpuWork> work = {{1, 7, 0, 100, 120}}, none, waiting = {{1, 7, GpuWork::kNowhere, 100, 120}};
  const std::vector<Call> calls = {{1, 5, 10, 12}};
  const std::vector<Range> ranges = {{5, 0, 25}};
  const Projected nothing = {{}};
  CHECK(project_ranges(work, {}, ranges) == nothing);
  CHECK(project_ranges(none, calls, ranges) == nothing);
  CHECK(project_ranges(waiting, calls, ranges) == nothing);
  CHECK(LaunchedWork(waiting).of(1).size() == 1);
  CHECK(LaunchedWork(waiting).of(2).empty());
}

TEST_CASE("NVTX on the GPU: a launch that a damaged table places on a thousand devices counts only on the first ones") {
  std::vector<GpuWork> work{{2, 7, 0, 100, 120}};
  for (std::int64_t device = 1000; device > 0; --device) work.push_back({1, 7, device, 100, 120});
  const LaunchedWork launched(work);
  const std::span<const GpuWork> first = launched.of(1);
  REQUIRE(first.size() == static_cast<std::size_t>(LaunchedWork::kMostGpus));
  CHECK(first.front().device == 1);
  CHECK(first.back().device == LaunchedWork::kMostGpus);
  CHECK(launched.of(2).size() == 1);
}

TEST_CASE("NVTX on the GPU: random ranges match the definition, including overlapping calls and graphs") {
  for (const std::uint64_t seed : seeds()) {
    CAPTURE(seed);
    Random random(seed);
    const std::int64_t launches = random.in(1, 60), threads = random.in(1, 3);
    std::vector<GpuWork> work;
    std::vector<Call> calls;
    for (std::int64_t l = 1; l <= launches; ++l) {
      const Ns begin = random.in(0, 1000);
      if (random.in(0, 9) > 0) calls.push_back({static_cast<std::uint64_t>(l), random.in(1, threads), begin, begin + random.in(0, 80)});
      for (std::int64_t pieces = random.in(0, 3); pieces > 0; --pieces) {  // one call may launch a graph
        const Ns at = random.in(0, 2000);
        const std::int64_t device = random.chance(0.1) ? GpuWork::kNowhere : random.in(0, 1);
        work.push_back({static_cast<std::uint64_t>(l), random.in(1, 2), device, at, at + random.in(0, 50)});
      }
    }
    const std::vector<Range> ranges = random_ranges(random, threads, 1200, 40);
    CHECK(project_ranges(work, calls, ranges) == by_definition(work, calls, ranges));
  }
}
