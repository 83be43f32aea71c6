// Waiting for the last rank of a collective, on runs with known groups of kernels.
#include "core/analysis/collectives/collective_waits.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <tuple>

#include "core/analysis/collectives/collectives.h"
#include "core/view/details/wait_details.h"
#include "tests/support/gen_collectives.h"
#include "tests/support/gen_segments.h"
#include "tests/support/gen_trace.h"

using namespace tv;
using namespace tv::test;

namespace {

constexpr Ns kClock = 10 * kMicrosecond;  // ends of one collective differ by a few microseconds in these runs

constexpr double kByChance = 0.04;  // kernels of another group that end within microseconds

// One collective: its name, its group of ranks, its number in that group.
using Identity = std::tuple<std::uint64_t, std::size_t, std::size_t>;

struct KnownRun {
  std::vector<PlayedUnit> units;
  std::map<std::tuple<std::size_t, std::size_t, std::size_t>, Identity> identity;  // by rank, stream, position

  KnownRun(const CollectiveRun& run, std::uint64_t seed, double lost) : units(run.units(seed)) {
    Random random(seed);
    for (std::size_t rank = 0; rank < units.size(); ++rank) {
      for (std::size_t s = 0; s < units[rank].streams.size(); ++s) {
        std::map<std::uint64_t, std::size_t> seen;
        CollectiveStream kept;
        for (const CollectiveKernel& one : units[rank].streams[s]) {
          const std::size_t group = one.name == 0 ? rank / run.tp : rank % run.tp;
          const Identity id{one.name, group, seen[one.name]++};
          if (random.chance(lost)) continue;
          identity[{rank, s, kept.size()}] = id;
          kept.push_back(one);
        }
        units[rank].streams[s] = std::move(kept);
      }
    }
  }
};

struct Waited {
  std::shared_ptr<const Trace> trace;
  std::shared_ptr<const GpuActivity> activity;
  std::shared_ptr<const CollectiveWaits> waits;

  explicit Waited(const std::vector<SourceView>& views, PlaceBy clocks = PlaceBy::Collectives)
      : trace(view_of(views, clocks)),
        activity(make_gpu_activity(trace, test_pool())),
        waits(make_collective_waits(*activity)) {}

  Ns begin(SliceId slice) const { return trace->begin_of(slice); }
  Ns duration(SliceId slice) const { return trace->duration_of(slice); }
};

// By slice; GPUs are in the order of ranks.
std::map<SliceId, Identity> identities(const Waited& waited, const KnownRun& known) {
  std::map<SliceId, Identity> out;
  for (std::size_t g = 0; g < waited.activity->gpus.size(); ++g) {
    std::map<std::string, std::vector<std::tuple<Ns, Ns, SliceId>>> streams;
    for (const std::uint32_t r : waited.activity->gpus[g].rows) {
      const RowSlices row = waited.trace->slices_of(waited.trace->rows[r]);
      for (std::size_t i = 0; i < row.size(); ++i) {
        if (waited.activity->work[idx(row.label(i))] != DeviceWork::Communication) continue;
        streams[waited.trace->lane(waited.trace->rows[r].lane).name].emplace_back(row.end(i), row.begin(i), row.id(i));
      }
    }
    for (auto& [name, kernels] : streams) {
      std::ranges::sort(kernels);
      const std::size_t stream = name == "stream 21" ? 1 : 0;
      for (std::size_t k = 0; k < kernels.size(); ++k) out[std::get<2>(kernels[k])] = known.identity.at({g, stream, k});
    }
  }
  return out;
}

struct Truth {
  Ns waiting = 0;
  std::size_t kernels = 0;
};

void check_run(const CollectiveRun& run, std::uint64_t seed, double lost, double wrong) {
  const KnownRun known(run, seed, lost);
  const Waited waited(sources_of(known.units));
  const std::map<SliceId, Identity> identity = identities(waited, known);
  std::vector<Truth> expected(run.ranks), found(run.ranks);
  const auto gpu_of = [&](SliceId slice) {
    const LaneId group = gpu_group(*waited.trace, waited.trace->row(waited.trace->row_of(slice)).lane);
    return static_cast<std::size_t>(std::ranges::find(waited.activity->gpus, group, &Gpu::group) -
                                    waited.activity->gpus.begin());
  };
  // Ranks are compared only if their clocks are connected.
  std::map<std::pair<Identity, std::uint32_t>, std::vector<SliceId>> true_members;
  for (const auto& [slice, id] : identity) {
    true_members[{id, waited.trace->sources[gpu_of(slice)].clock_fit.group}].push_back(slice);
  }
  std::size_t kernels = 0;
  for (const auto& [id, members] : true_members) {
    if (members.size() < 2) continue;
    Ns last = 0;
    for (const SliceId slice : members) last = std::max(last, waited.begin(slice));
    for (const SliceId slice : members) {
      Truth& own = expected[gpu_of(slice)];
      own.waiting += std::min(last - waited.begin(slice), waited.duration(slice));
      ++own.kernels;
      ++kernels;
    }
  }
  std::size_t mixed = 0, matched = 0;
  for (const MatchedCollective& collective : waited.waits->collectives) {
    const auto members = waited.waits->of(collective);
    REQUIRE(members.size() >= 2);
    CHECK(members.back().waited == 0);
    const Identity id = identity.at(members.front().slice);
    for (const CollectiveMember& member : members) {
      mixed += identity.at(member.slice) != id ? 1 : 0;
      CHECK(member.gpu == gpu_of(member.slice));
      CHECK(member.waited >= 0);
      CHECK(member.waited <= waited.duration(member.slice));
      found[member.gpu].waiting += member.waited;
      ++found[member.gpu].kernels;
      ++matched;
    }
    if (collective.last_is_certain) CHECK(waited.begin(members.back().slice) > waited.begin(members[members.size() - 2].slice));
  }
  CHECK(waited.waits->by_slice.size() == matched);
  CHECK(std::ranges::adjacent_find(waited.waits->by_slice, {}, [](const auto& entry) { return entry.first; }) ==
        waited.waits->by_slice.end());
  CHECK(static_cast<double>(mixed) <= wrong * static_cast<double>(kernels));
  CHECK(static_cast<double>(matched) >= (1 - wrong) * static_cast<double>(kernels));
  for (std::size_t g = 0; g < run.ranks; ++g) {
    CAPTURE(g);
    const auto room = static_cast<Ns>(expected[g].kernels) * kClock +
                      static_cast<Ns>(5 * wrong * static_cast<double>(expected[g].waiting));
    CHECK(std::abs(found[g].waiting - expected[g].waiting) <= room);
  }
}

// Ten collectives; rank 0 arrives first, rank 2 last. `end_apart`: how much later each rank ends than the one before.
std::vector<SourceView> three_ranks(Ns late, Ns end_apart, bool one_file) {
  std::vector<SourceView> views;
  TraceSketch all;
  for (int rank = 0; rank < 3; ++rank) {
    TraceSketch own;
    TraceSketch& sketch = one_file ? all : own;
    const std::string track = "nccl of " + std::to_string(rank);
    const LaneSegment process{"rank " + std::to_string(rank), rank}, gpu{"GPU " + std::to_string(rank)};
    sketch.lane(track, {{process, gpu, {"stream 20"}}, LaneKind::Stream});
    Ns at = 1'700'000'000 * kSecond;
    for (int i = 0; i < 10; ++i) {
      at += (5 + i * i % 7) * kMillisecond;  // irregular
      const Ns begin = at + (rank == 0 ? 0 : rank == 1 ? kMillisecond : kMillisecond + late);
      const Ns end = at + 3 * kMillisecond + rank * end_apart;
      sketch.slice(track, begin, end - begin, "ncclDevKernel_AllReduce_Sum(x)", {}, "kernel");
    }
    if (one_file) continue;
    views.push_back(own.view());
    views.back().info.path = "rank" + std::to_string(rank) + ".json";
    views.back().info.rank = rank;
  }
  if (one_file) views.push_back(all.view());
  return views;
}

}  // namespace

TEST_CASE("collective_waits: collectives are matched despite shared streams, lost kernels and uneven recordings") {
  for (const std::uint64_t seed : seeds(4)) {
    CAPTURE(seed);
    CollectiveRun run;
    run.skew = random_skew(seed, run.ranks, 12 * kSecond);
    SUBCASE("one stream per group") { check_run(run, seed, 0, 0); }
    SUBCASE("kernels are missing") { check_run(run, seed, 0.05, 0.01); }
    SUBCASE("groups of four") {
      run.tp = 4;
      check_run(run, seed, 0, 0);
    }
    SUBCASE("all groups on one stream") {
      run.one_stream = true;
      check_run(run, seed, 0, kByChance);
    }
    SUBCASE("ranks that start recording late or stop early") {
      run.uneven_step = 0.3;
      check_run(run, seed, 0, 0.01);
    }
    SUBCASE("64 ranks") {
      run.ranks = 64;
      run.tp = 8;
      run.steps = 4;
      run.skew = random_skew(seed, run.ranks, 12 * kSecond);
      check_run(run, seed, 0.01, kByChance);
    }
  }
}

TEST_CASE("collective_waits: the last rank is named, with how long each other rank waited for it") {
  for (const bool one_file : {false, true}) {
    CAPTURE(one_file);
    const Waited waited(three_ranks(kMillisecond, 0, one_file));
    REQUIRE(waited.activity->gpus.size() == 3);
    const std::vector<WaitSum> sums = wait_sums(*waited.activity, *waited.waits);
    CHECK(waited.waits->collectives.size() == 10);
    CHECK(sums[0].waiting == 20 * kMillisecond);
    CHECK(sums[1].waiting == 10 * kMillisecond);
    CHECK(sums[2].waiting == 0);
    CHECK(sums[2].last == 10);
    CHECK(sums[2].others_waited == 30 * kMillisecond);
    CHECK(sums[0].last + sums[1].last + sums[0].last_uncertain == 0);
    for (const WaitSum& sum : sums) CHECK(sum.transfer == 10 * kMillisecond);
    CHECK(waited.waits->gpus[0].clock == (one_file ? CommClock::One : CommClock::Collectives));

    const MatchedCollective& first = waited.waits->collectives.front();
    const auto members = waited.waits->of(first);
    const SliceId early = members[0].slice, late = members[2].slice;
    CHECK(wait_text(*waited.waits, early) == "waited 2 ms for rank 2, GPU 2, the last of 3 ranks");
    CHECK(wait_text(*waited.waits, late) == "came last of 3 ranks, which waited 3 ms in all");
    CHECK(across_collective(*waited.waits, early) == late);
    CHECK(across_collective(*waited.waits, late) == early);
    CHECK(wait_arrows(*waited.waits, early) == std::vector<Flow>{{early, late}});
    CHECK(wait_arrows(*waited.waits, late).size() == 2);
    const WaitDetails details = wait_details(*waited.waits, late);
    REQUIRE(details.waited.size() == 2);
    CHECK(details.waited[0].slice == early);
    CHECK(details.waited[0].gap == 2 * kMillisecond);
    CHECK_FALSE(details.last);
    CHECK(waited.trace->flows.empty());  // waits are derived: they are neither counted nor exported
  }
}

TEST_CASE("collective_waits: the longest waits are those on the scope's streams, clipped to its range") {
  const Waited waited(three_ranks(kMillisecond, 0, true));
  const GpuActivity& all = *waited.activity;
  const auto rows_within = [&](const Scope& scope) {
    const auto part = activity_within(waited.activity, scope, test_pool());
    REQUIRE(part);
    return longest_waits(*part, *waited.waits, kLongestWaits);
  };
  // The first collective from 1.5 to 2.5 ms after its begin; rank 2 begins after 2 ms.
  const Ns begin = waited.begin(waited.waits->of(waited.waits->collectives.front()).front().slice);
  const Scope middle{{begin + 1500 * kMicrosecond, begin + 2500 * kMicrosecond}};
  const std::vector<CountedWait> clipped = rows_within(middle);
  REQUIRE(clipped.size() == 1);
  CHECK(clipped[0].collective == &waited.waits->collectives.front());
  CHECK(clipped[0].longest->gpu == 0);
  CHECK(clipped[0].waited == 500 * kMicrosecond);
  CHECK(clipped[0].all_waited == kMillisecond);
  const std::vector<WaitSum> sums = wait_sums(*activity_within(waited.activity, middle, test_pool()), *waited.waits);
  CHECK(sums[0].waiting == clipped[0].waited);
  CHECK(sums[2].others_waited == clipped[0].all_waited);

  for (std::uint32_t g = 0; g < 3; ++g) {
    CAPTURE(g);
    const std::vector<CountedWait> rows = rows_within({all.extent, {waited.trace->rows[all.gpus[g].rows.front()].lane}});
    REQUIRE(rows.size() == (g == 2 ? 0 : 10));  // rank 2 never waits
    for (const CountedWait& row : rows) {
      CHECK(row.longest->gpu == g);
      CHECK(row.waited == (2 - g) * kMillisecond);
      CHECK(row.all_waited == 3 * kMillisecond);
    }
  }
}

TEST_CASE("collective_waits: no last rank is named if the clocks cannot tell which it was") {
  // The last two begin closer together than their ends are.
  const Waited near(three_ranks(2 * kMicrosecond, 3 * kMicrosecond, true));
  const std::vector<WaitSum> sums = wait_sums(*near.activity, *near.waits);
  CHECK(near.waits->collectives.size() == 10);
  CHECK(sums[2].last == 0);
  CHECK(sums[0].last_uncertain == 10);
  CHECK(sums[0].waiting == 10 * (kMillisecond + 2 * kMicrosecond));  // its wait still counts
  // Files whose clocks are not connected.
  const Waited apart(three_ranks(kMillisecond, 0, false), PlaceBy::Recorded);
  CHECK(apart.waits->collectives.empty());
  for (const CommGpu& gpu : apart.waits->gpus) CHECK(gpu.clock == CommClock::Unknown);
}
