// Ranges of the CPU on the GPU, against what the definition says, read aloud: every range with every call with every work.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>

#include "core/read/nvtx_projection.h"
#include "tests/support/gen_trace.h"

using namespace tv;
using namespace tv::test;

namespace {

std::vector<ProjectedRange> by_definition(const std::vector<GpuWork>& work, const std::vector<LaunchCall>& calls,
                                          const std::vector<CpuRange>& ranges) {
  std::vector<ProjectedRange> out;
  for (std::size_t r = 0; r < ranges.size(); ++r) {
    std::map<std::pair<std::int64_t, std::int64_t>, TimeRange> spans;
    for (const LaunchCall& call : calls) {
      const bool within = call.thread == ranges[r].thread && ranges[r].begin <= call.begin && call.end <= ranges[r].end;
      if (!within) continue;
      for (const GpuWork& piece : work) {
        if (piece.launch != call.launch) continue;
        const auto [span, is_new] = spans.try_emplace({piece.process, piece.device}, TimeRange{piece.begin, piece.end});
        if (!is_new) span->second.include(piece.begin, piece.end);
      }
    }
    for (const auto& [gpu, span] : spans) out.push_back({r, gpu.first, gpu.second, span.begin, span.end});
  }
  return out;
}

std::vector<ProjectedRange> project_ranges(std::vector<GpuWork>& work, const std::vector<LaunchCall>& calls,
                                           const std::vector<CpuRange>& ranges) {
  return GpuProjection(work, calls).of(ranges);
}

std::vector<CpuRange> random_ranges(Random& random, std::int64_t threads, Ns end, int count) {
  std::vector<CpuRange> out;
  for (int i = 0; i < count; ++i) {
    const Ns begin = random.in(0, end);
    out.push_back({random.in(1, threads), begin, begin + random.in(0, end / 3), LabelId{}, 0});
  }
  return out;
}

}  // namespace

TEST_CASE("NVTX on the GPU: a range has what its calls launched, from the first begin to the last end") {
  std::vector<GpuWork> work = {{1, 7, 0, 100, 120}, {2, 7, 0, 115, 150}, {2, 7, 1, 400, 410}, {3, 7, 0, 200, 210}};
  const std::vector<LaunchCall> calls = {{1, 5, 10, 12}, {2, 5, 20, 22}, {3, 5, 30, 40}, {3, 6, 11, 12}};
  const std::vector<CpuRange> ranges = {
      {5, 0, 25, LabelId{}, 0},   // calls 1 and 2, on two GPUs
      {5, 9, 12, LabelId{}, 0},   // call 1, to the nanosecond
      {5, 11, 35, LabelId{}, 0},  // call 1 began before, 3 ends after: 2 alone
      {5, 50, 60, LabelId{}, 0},  // none
      {6, 0, 99, LabelId{}, 0},   // the other thread's
  };
  const std::vector<ProjectedRange> expected = {
      {0, 7, 0, 100, 150}, {0, 7, 1, 400, 410}, {1, 7, 0, 100, 120}, {2, 7, 0, 115, 150}, {2, 7, 1, 400, 410}, {4, 7, 0, 200, 210}};
  CHECK(project_ranges(work, calls, ranges) == expected);
}

TEST_CASE("NVTX on the GPU: nothing without ranges, calls or work") {
  std::vector<GpuWork> work = {{1, 7, 0, 100, 120}}, none;
  const std::vector<LaunchCall> calls = {{1, 5, 10, 12}};
  const std::vector<CpuRange> ranges = {{5, 0, 25, LabelId{}, 0}};
  CHECK(project_ranges(work, calls, {}).empty());
  CHECK(project_ranges(work, {}, ranges).empty());
  CHECK(project_ranges(none, calls, ranges).empty());
}

TEST_CASE("NVTX on the GPU: as by definition, calls that overlap and graphs included") {
  for (const std::uint64_t seed : seeds()) {
    CAPTURE(seed);
    Random random(seed);
    const std::int64_t launches = random.in(1, 60), threads = random.in(1, 3);
    std::vector<GpuWork> work;
    std::vector<LaunchCall> calls;
    for (std::int64_t l = 1; l <= launches; ++l) {
      const Ns begin = random.in(0, 1000);
      if (random.in(0, 9) > 0) calls.push_back({static_cast<std::uint64_t>(l), random.in(1, threads), begin, begin + random.in(0, 80)});
      for (std::int64_t pieces = random.in(0, 3); pieces > 0; --pieces) {  // one call may launch a graph
        const Ns at = random.in(0, 2000);
        work.push_back({static_cast<std::uint64_t>(l), random.in(1, 2), random.in(0, 1), at, at + random.in(0, 50)});
      }
    }
    const std::vector<CpuRange> ranges = random_ranges(random, threads, 1200, 40);
    const std::vector<ProjectedRange> expected = by_definition(work, calls, ranges);
    CHECK(project_ranges(work, calls, ranges) == expected);
  }
}
