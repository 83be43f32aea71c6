// Files of ranks whose clocks differ, from the option to the display: loaded in part, cached, with the correction switched off.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "core/analysis/clocks/clock_table.h"
#include "core/analysis/clocks/lane_clock.h"
#include "core/analysis/collectives/collective_waits.h"
#include "tests/session/desk.h"
#include "tests/support/gen_collectives.h"
#include "tests/support/golden.h"
#include "tests/support/trace_text.h"

using namespace tv;
using namespace tv::test;

namespace {

std::string kernel_json(const char* name, Ns begin, Ns end, std::size_t stream) {
  const Ns length = end - begin;
  return fmt::format(R"({{"ph":"X","cat":"kernel","name":"{}","pid":0,"tid":{},"ts":{}.{:03},"dur":{}.{:03}}})", name,
                     stream, begin / kMicrosecond, begin % kMicrosecond, length / kMicrosecond, length % kMicrosecond);
}

// A file per rank, as PyTorch writes them; `skewed`: each rank's clock is wrong by a known amount.
CollectiveRun write_ranks(const TempDir& folder, bool skewed) {
  CollectiveRun run;
  run.ranks = 4;
  run.begin = 1'700'000'000 * kSecond;
  if (skewed) run.skew = {3 * kMillisecond, 7 * kSecond, -2 * kSecond, 0};
  const std::vector<PlayedUnit> units = run.units(5);
  for (std::size_t rank = 0; rank < units.size(); ++rank) {
    std::string text = fmt::format(R"({{"distributedInfo":{{"rank":{}}},"traceEvents":[)", rank);
    for (std::size_t s = 0; s < units[rank].streams.size(); ++s) {
      for (const CollectiveKernel& c : units[rank].streams[s]) {
        const std::string name = fmt::format("ncclDevKernel_{}(x)", c.name);
        text += kernel_json(name.c_str(), c.begin, c.end, 20 + s) + ",\n";
        text += kernel_json("gemm", c.begin - 200 * kMicrosecond, c.begin, 7) + ",\n";
      }
    }
    text.resize(text.size() - 2);
    folder.write(fmt::format("rank{}.json", rank), text + "]}");
  }
  return run;
}

std::shared_ptr<const Trace> load_ranks(const TempDir& folder, LoadOptions options, std::size_t chunk = 4096) {
  options.chunk_bytes = chunk;
  return load_snapshot({folder.path()}, test_pool(), options)->trace;
}

Ns farthest(const Trace& trace, const CollectiveRun& run) {
  Ns most = 0;
  for (std::size_t a = 0; a < trace.sources.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      most = std::max(most, std::abs(run.skew[a] + trace.sources[a].shift.by - run.skew[b] - trace.sources[b].shift.by));
    }
  }
  return most;
}

}  // namespace

TEST_CASE("collective_clocks: files of ranks are placed correctly for any chunk size, time window or choice of ranks") {
  const TempDir folder;
  const CollectiveRun run = write_ranks(folder, true);
  const auto whole = load_ranks(folder, {});
  CHECK(farthest(*whole, run) <= 10 * kMicrosecond);
  CHECK(whole->extent.length() < kSecond);
  CHECK(clock_table(*whole).moved == 3);
  CHECK(first_difference(trace_text(*whole), trace_text(*load_ranks(folder, {}, 256))) == "");
  // Loaded in part, with only some of the collectives, the files are placed as in the whole load.
  for (const TimeRange window : {TimeRange{0, 5 * kMillisecond}, TimeRange{30 * kMillisecond, 45 * kMillisecond}}) {
    CAPTURE(window.begin);
    const auto part = load_ranks(folder, {{.choice = {{}, window}}});
    CHECK(part->slice_count > 0);
    CHECK(part->slice_count < whole->slice_count);
    for (std::size_t s = 0; s < part->sources.size(); ++s) {
      CHECK(part->sources[s].shift.by == whole->sources[s].shift.by);
      CHECK(part->sources[s].clock_fit == whole->sources[s].clock_fit);
    }
    const auto absolute =
        load_ranks(folder, {{.choice = {{},
                                        TimeRange{window.begin + whole->origin_ns, window.end + whole->origin_ns},
                                        LoadChoice::Clock::Absolute}}});
    CHECK(first_difference(trace_text(*part), trace_text(*absolute)) == "");
  }
  // Two ranks alone are placed by the collectives that they share.
  const auto two = load_ranks(folder, {{.choice = {{{0, 1}}, {}}}});
  CHECK(std::abs(run.skew[0] + two->sources[0].shift.by - run.skew[1] - two->sources[1].shift.by) <= 10 * kMicrosecond);
  CHECK(two->sources[2].clock_fit == ClockFit{});
}

TEST_CASE("collective_clocks: the other ranks follow a manual offset, and placing as recorded moves no file") {
  const TempDir folder;
  const CollectiveRun run = write_ranks(folder, true);
  const auto moved = load_ranks(folder, {{.clocks = {{"rank1.json", -7 * kSecond}}}});
  CHECK(moved->sources[1].shift.by == -7 * kSecond);
  CHECK(farthest(*moved, run) <= 10 * kMicrosecond);
  const auto recorded = load_ranks(folder, {{.place_by = PlaceBy::Recorded}});
  for (const SourceInfo& source : recorded->sources) CHECK(source.shift.by == 0);
  CHECK(farthest(*recorded, run) == 9 * kSecond);
}

TEST_CASE("collective_clocks: dragging a rank moves only that rank") {
  const TempDir folder;
  write_ranks(folder, true);
  TestDesk desk;
  desk.open({folder.path()});
  desk.wait_for_all();
  const auto lies = [&] {
    const Trace& trace = desk.ws.trace();
    std::vector<Ns> at;
    for (const SourceInfo& source : trace.sources) at.push_back(source.shift.by);
    return at;
  };
  const auto lane_of = [&](std::int64_t rank) {
    const Trace& trace = desk.ws.trace();
    for (std::size_t l = 0; l < trace.lanes.size(); ++l) {
      const LaneClock clock = clock_of_lane(trace, id_at<LaneId>(l));
      if (clock.files.size() == 1 && clock.name == fmt::format("rank {}", rank)) return id_at<LaneId>(l);
    }
    return kNone<LaneId>;
  };
  const std::vector<Ns> before = lies();
  const auto drag = [&](std::int64_t rank, Ns by, const ClockOffsets& now) {
    const LaneClock clock = clock_of_lane(desk.ws.trace(), lane_of(rank));
    if (clock.compared) desk.ws.apply(command::PlaceClocks{PlaceBy::Recorded});
    desk.ws.apply(command::SetClocks{moved_by(clock, by, now)});
    desk.wait_for_all();
  };
  // Drags each rank, even the reference for the others, and then another one as well.
  for (std::int64_t rank = 0; rank < 4; ++rank) {
    CAPTURE(rank);
    drag(rank, 1'147 * kMillisecond, {});
    std::vector<Ns> wanted = before;
    wanted[static_cast<std::size_t>(rank)] += 1'147 * kMillisecond;
    CHECK(lies() == wanted);
    drag((rank + 1) % 4, -kSecond, desk.ws.session().read().clocks);
    wanted[static_cast<std::size_t>((rank + 1) % 4)] -= kSecond;
    CHECK(lies() == wanted);
    desk.ws.apply(command::PlaceClocks{PlaceBy::Collectives});
    desk.ws.apply(command::SetClocks{});
    desk.wait_for_all();
    CHECK(lies() == before);
  }
}

TEST_CASE("collective_clocks: one cache entry serves both fitted and recorded clocks") {
  const TempDir folder, cache;
  write_ranks(folder, true);
  const auto load_with = [&](PlaceBy place_by) {
    LoadOptions options{{.place_by = place_by}};
    options.cache = {cache.path(), "p", true, 1ULL << 30, 0};
    std::shared_ptr<const Trace> trace;
    LoadJob job({folder.path()}, test_pool(), options, [&](auto snapshot) { trace = snapshot->trace; });
    job.wait();
    return std::pair(trace, job.times().nothing_read);
  };
  const auto [moved, first_kept] = load_with(PlaceBy::Collectives);
  const auto [recorded, second_kept] = load_with(PlaceBy::Recorded);
  CHECK(!first_kept);
  CHECK(second_kept);
  const auto [again, third_kept] = load_with(PlaceBy::Collectives);
  CHECK(third_kept);
  for (std::size_t s = 0; s < 4; ++s) {
    CHECK(moved->sources[s].clock_fit.evidence == ClockEvidence::Collectives);
    CHECK(again->sources[s].clock_fit == moved->sources[s].clock_fit);
    CHECK(recorded->sources[s].clock_fit == ClockFit{});
  }
  CHECK(first_difference(trace_text(*moved), trace_text(*again)) == "");
}

TEST_CASE("collective_clocks: the window switches to recorded clocks and back, and opening files resets it") {
  const TempDir folder;
  const CollectiveRun run = write_ranks(folder, true);
  TestDesk desk;
  desk.open({folder.path()});
  desk.wait_for_all();
  CHECK(farthest(desk.ws.trace(), run) <= 10 * kMicrosecond);
  desk.ws.apply(command::PlaceClocks{PlaceBy::Recorded});
  desk.wait_for_all();
  CHECK(farthest(desk.ws.trace(), run) == 9 * kSecond);
  CHECK(desk.ws.session().read().place_by == PlaceBy::Recorded);
  desk.ws.apply(command::Reload{});
  desk.wait_for_all();
  CHECK(farthest(desk.ws.trace(), run) == 9 * kSecond);
  desk.ws.apply(command::PlaceClocks{PlaceBy::Collectives});
  desk.wait_for_all();
  CHECK(farthest(desk.ws.trace(), run) <= 10 * kMicrosecond);
  desk.ws.apply(command::PlaceClocks{PlaceBy::Recorded});
  desk.wait_for_all();
  desk.open({folder.path()});  // opening resets it
  desk.wait_for_all();
  CHECK(farthest(desk.ws.trace(), run) <= 10 * kMicrosecond);
}

TEST_CASE("collective_clocks: FollowFlow and arrows lead from a waiting kernel to the last one of its collective") {
  const TempDir folder;
  write_ranks(folder, true);
  TestDesk desk;
  desk.open({folder.path()});
  wait_until([&] {
    desk.frame();
    return desk.ws.run().data().waits && !desk.ws.run().busy();
  });
  const CollectiveWaits& waits = *desk.ws.run().data().waits;
  REQUIRE(!waits.collectives.empty());
  const CountedWait longest = longest_waits(*desk.ws.run().data().gpu, waits, 1).front();
  const MatchedCollective& worst = *longest.collective;
  const SliceId waiting = longest.longest->slice, last = waits.last(worst).slice;
  desk.apply(command::SelectSlice{waiting, true});
  CHECK(desk.ws.state().selected.waits.text.starts_with("waited "));
  CHECK(desk.ws.state().selected.waits.arrows == std::vector<Flow>{{waiting, last}});
  REQUIRE(desk.ws.state().selected.waits.last);
  CHECK(desk.ws.state().selected.waits.last->slice == last);
  desk.apply(command::FollowFlow{true});
  CHECK(desk.ws.state().selection.slice == last);
  CHECK(desk.ws.state().selected.waits.text.starts_with("came last of "));
  CHECK(desk.ws.state().selected.waits.arrows.size() == worst.count - 1);
  desk.apply(command::FollowFlow{true});
  CHECK(desk.ws.state().selection.slice == waiting);
  desk.select("gemm");
  CHECK(desk.ws.state().selected.waits.text.empty());
  CHECK(desk.ws.state().selected.waits.arrows.empty());
}
