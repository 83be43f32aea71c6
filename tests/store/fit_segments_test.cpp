// Clocks of segments, corrected in a view.
#include "core/store/segments/fit_segments.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "core/analysis/clocks/clock_table.h"
#include "core/store/clock/unit_clocks.h"
#include "tests/support/gen_collectives.h"
#include "tests/support/gen_segments.h"
#include "tests/support/gen_trace.h"
#include "tests/support/golden.h"
#include "tests/support/trace_text.h"

using namespace tv;
using namespace tv::test;

namespace {

constexpr Ns kFitWithin = 10 * kMicrosecond;

CollectiveRun skewed_run(std::uint64_t seed, Ns most) {
  CollectiveRun run;
  run.skew = random_skew(seed, run.ranks, most);
  return run;
}

// The most by which truly simultaneous times lie apart in the trace, over all pairs of sources.
Ns worst_placing(const Trace& trace, const CollectiveRun& run) {
  Ns worst = 0;
  for (std::size_t a = 0; a < trace.sources.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      const Ns apart = run.skew[a] + trace.sources[a].shift.by - run.skew[b] - trace.sources[b].shift.by;
      worst = std::max(worst, std::abs(apart));
    }
  }
  return worst;
}

Ns worst_recorded(const CollectiveRun& run) {
  const auto [least, most] = std::ranges::minmax(run.skew);
  return most - least;
}

std::size_t moved(const Trace& trace) {
  return static_cast<std::size_t>(
      std::ranges::count_if(trace.sources, [](const SourceInfo& source) { return source.clock_fit.offset != 0; }));
}

}  // namespace

TEST_CASE("fit_segments: ranks' traces agree within 10 us, and say by how much and on what evidence they were moved") {
  for (const Ns most : {2 * kMillisecond, 12 * kSecond}) {
    const CollectiveRun run = skewed_run(11, most);
    const auto trace = view_of(sources_of(run.units(11)));
    CHECK(worst_placing(*trace, run) <= kFitWithin);
    CHECK(moved(*trace) == 7);
    CHECK(check_invariants(*trace) == "");
    Ns least = INT64_MAX;
    for (const SourceInfo& source : trace->sources) {
      const ClockFit& fit = source.clock_fit;
      CHECK(fit.evidence == ClockEvidence::Collectives);
      CHECK(fit.name == fmt::format("rank {}", *source.rank));
      CHECK(source.shift.by == fit.offset);  // the files count from the epoch
      CHECK(fit.matched >= 72);
      CHECK(fit.partners.find("rank ") == 0);
      CHECK(fit.text.find("collective kernels end within ") != std::string::npos);
      CHECK(fit.text.starts_with(fit.offset != 0 ? "clock moved by " : "clock kept: the other clocks are compared with it"));
      least = std::min(least, std::abs(fit.offset));
    }
    CHECK(least == 0);
    const ClockTable table = clock_table(*trace);
    CHECK(table.rows.size() == 8);
    CHECK(table.compared == 8);
    CHECK(table.moved == 7);
    CHECK(table.groups == 1);
    CHECK(verdict(table).starts_with(
        "The clocks of 8 traces were compared by collective kernels, which all ranks leave together: "
        "7 were moved, by up to "));

    const auto recorded = view_of(sources_of(run.units(11)), PlaceBy::Recorded);
    CHECK(worst_placing(*recorded, run) == worst_recorded(run));
    CHECK(recorded->sources[0].clock_fit == ClockFit{});
    CHECK(verdict(clock_table(*recorded)) == "");
  }
}

TEST_CASE("fit_segments: of two ranks the same one is moved by the same amount within 1 us, in either order") {
  for (const std::uint64_t seed : seeds(20)) {
    CAPTURE(seed);
    CollectiveRun run;
    run.ranks = 2;
    run.skew = random_skew(seed, run.ranks, 2 * kMillisecond);
    std::vector<SourceView> views = sources_of(run.units(seed));
    const auto trace = view_of(views);
    CHECK(moved(*trace) == 1);
    std::ranges::reverse(views);
    const auto turned = view_of(views);
    for (const std::size_t s : {0u, 1u}) {
      CHECK(turned->sources[1 - s].path == trace->sources[s].path);
      CHECK((turned->sources[1 - s].shift.by == 0) == (trace->sources[s].shift.by == 0));
      CHECK(std::abs(turned->sources[1 - s].shift.by - trace->sources[s].shift.by) <= kMicrosecond);
    }
  }
}

TEST_CASE("fit_segments: without collectives nothing is moved, and the verdict says so") {
  const CollectiveRun run = skewed_run(12, 2 * kMillisecond);
  std::vector<PlayedUnit> units = run.units(12);
  for (PlayedUnit& unit : units) unit.streams.clear();
  std::vector<SourceView> views = sources_of(units);
  for (std::size_t s = 0; s < views.size(); ++s) views[s].clock_base = {run.begin + run.skew[s]};
  const auto trace = view_of(views);
  CHECK(moved(*trace) == 0);
  for (std::size_t s = 0; s < views.size(); ++s) {
    CHECK(trace->sources[s].shift.by == views[s].clock_base.by);
    CHECK(trace->sources[s].clock_fit.evidence == ClockEvidence::WallClock);
    CHECK(trace->sources[s].clock_fit.text == "wall clock, uncertainty unknown: no collective kernels to compare it by");
  }
  CHECK(verdict(clock_table(*trace)) == "Wall clock, uncertainty unknown: 8 traces have no collective kernels that match.");
}

TEST_CASE("fit_segments: a rank without collectives and a file without wall clock are not corrected, and are reported") {
  CollectiveRun run = skewed_run(13, 2 * kMillisecond);
  std::vector<PlayedUnit> units = run.units(13);
  units[3].streams.clear();
  std::vector<SourceView> views = sources_of(units);
  views[3].clock_base = {run.begin + run.skew[3]};
  TraceSketch boot;
  boot.slice("t", 500, 10);
  views.push_back(boot.view());
  const auto trace = view_of(views);
  CHECK(trace->sources[3].clock_fit.evidence == ClockEvidence::WallClock);
  CHECK(trace->sources[3].shift.by == run.begin + run.skew[3]);
  CHECK(trace->sources[8].clock_fit.evidence == ClockEvidence::None);
  CHECK(trace->sources[8].problems.count(ProblemKind::no_wall_clock) == 1);
  const ClockTable table = clock_table(*trace);
  CHECK(table.rows.size() == 8);
  CHECK(table.compared == 7);
  CHECK(verdict(table).find("The clocks of 7 of 8 traces") == 0);
  CHECK(verdict(table).ends_with("Of the others: wall clock, uncertainty unknown."));
}

TEST_CASE("fit_segments: only collective kernels on streams are compared") {
  CHECK(is_collective("kernel", "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)"));
  CHECK(is_collective("kernel", "NCCLKernel_AllGather"));
  CHECK(is_collective("kernel", "void vllm::cross_device_reduce_1stage<__half, 8>(vllm::RankData*)"));
  CHECK(is_collective("", "hcom_allReduce__428_0_1"));
  CHECK(!is_collective("cpu_op", "nccl:all_reduce"));
  CHECK(!is_collective("kernel", "void deep_ep::intranode::dispatch<8>(int)"));  // ranks do not leave it together
  CHECK(!is_collective("kernel", "gemm"));
  const CollectiveRun run = skewed_run(14, 2 * kMillisecond);
  std::vector<SourceView> views = sources_of(run.units(14));
  for (SourceView& view : views) {
    for (auto& [track, lane] : view.lanes) lane.kind = LaneKind::Thread;
  }
  CHECK(moved(*view_of(views)) == 0);
}

TEST_CASE("fit_segments: a trace that was moved by hand stays where it was put") {
  const CollectiveRun run = skewed_run(15, 2 * kMillisecond);
  std::vector<SourceView> views = sources_of(run.units(15));
  views[2].info.clock_offset = 40 * kMillisecond;
  const auto trace = view_of(views);
  CHECK(trace->sources[2].shift.by == 40 * kMillisecond);
  CHECK(trace->sources[2].clock_fit.offset == 0);
  CHECK(worst_placing(*trace, run) <= kFitWithin);  // the others were moved to it
  CHECK(moved(*trace) == 7);
  CHECK(clock_table(*trace).rows[2].manual_offset == 40 * kMillisecond);
}

TEST_CASE("fit_segments: consecutive files of one process share a clock") {
  const CollectiveRun run = skewed_run(16, 12 * kSecond);
  const std::vector<PlayedUnit> whole = run.units(16);
  // Each rank wrote three files: the first half of each stream, then an empty one, then the rest.
  std::vector<PlayedUnit> parts;
  for (const PlayedUnit& unit : whole) {
    PlayedUnit first, rest;
    for (const CollectiveStream& stream : unit.streams) {
      const auto half = stream.begin() + static_cast<std::ptrdiff_t>(stream.size() / 2);
      first.streams.emplace_back(stream.begin(), half);
      rest.streams.emplace_back(half, stream.end());
    }
    parts.insert(parts.end(), {first, PlayedUnit{}, rest});
  }
  std::vector<SourceView> views = sources_of(parts);
  for (std::size_t s = 0; s < views.size(); ++s) {
    const std::size_t rank = s / 3;
    SourceInfo& info = views[s].info;
    info.rank = static_cast<std::int64_t>(rank);
    info.host = rank < 4 ? "hostA" : "hostB";
    info.pid = 100 + static_cast<std::int64_t>(rank % 4);  // equal on both hosts
    for (auto& [track, lane] : views[s].lanes) lane.path[0] = {fmt::format("rank {}", rank)};
    if (s % 3 == 1) views[s].clock_base = {run.begin + run.skew[rank]};
  }
  const auto trace = view_of(views);
  const ClockTable table = clock_table(*trace);
  REQUIRE(table.rows.size() == 8);
  for (std::size_t rank = 0; rank < 8; ++rank) {
    CHECK(table.rows[rank].sources == std::vector{static_cast<std::uint32_t>(3 * rank),
                                                  static_cast<std::uint32_t>(3 * rank + 1),
                                                  static_cast<std::uint32_t>(3 * rank + 2)});
    CHECK(table.rows[rank].fit.matched >= 72);
    for (std::size_t other = 0; other < rank; ++other) {
      const Ns apart = run.skew[rank] + table.rows[rank].fit.offset - run.skew[other] - table.rows[other].fit.offset;
      CHECK(std::abs(apart) <= kFitWithin);
    }
    CHECK(trace->sources[3 * rank + 1].clock_fit.offset == table.rows[rank].fit.offset);
  }
}

TEST_CASE("fit_segments: the result depends neither on batches nor on the number of threads") {
  const CollectiveRun run = skewed_run(17, 12 * kSecond);
  const std::vector<PlayedUnit> units = run.units(17);
  const std::vector<SourceView> whole = sources_of(units);
  std::vector<SourceView> pieces = whole;
  for (SourceView& view : pieces) {  // halves every batch, three times
    for (int round = 0; round < 3; ++round) {
      std::vector<StoredBatch> halves;
      for (const StoredBatch& stored : view.batches) {
        for (const bool second : {false, true}) {
          SliceColumns some;
          const SliceBlock& all = *stored.slices;
          const std::size_t middle = all.size() / 2;
          for (std::size_t i = second ? middle : 0; i < (second ? all.size() : middle); ++i) {
            some.add(all.track[i], all.begin[i], all.duration[i], all.label[i], all.group_of(i), all.offset[i],
                     all.flags_of(i));
          }
          halves.push_back({std::make_shared<const SliceBlock>(some), stored.rest, stored.ids});
        }
      }
      view.batches = std::move(halves);
    }
  }
  ThreadPool one(1);
  const auto a = view_of(whole), b = view_of(pieces, PlaceBy::Collectives, Align::Recorded, one);
  for (std::size_t s = 0; s < whole.size(); ++s) CHECK(a->sources[s].clock_fit == b->sources[s].clock_fit);
  CHECK(first_difference(trace_text(*a), trace_text(*b)) == "");
}
