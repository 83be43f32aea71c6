// Lanes of Nsight Systems reports, named by what is known of their processes, and the facts of a damaged report.
#include "core/read/nsys/nsys_lanes.h"

#include <doctest/doctest.h>

#include "core/session/load/load_job.h"
#include "tests/read/fixture_cases.h"
#include "tests/support/gen_trace.h"
#include "tests/support/temp_dir.h"

using namespace tv;
using namespace tv::test;

namespace {

constexpr std::int64_t kReportPid = 4711, kReportProcess = (std::int64_t{1} << 48) | (kReportPid << 24);

// The lanes of a report with these tracks, by the keys of the tracks, once everything is known about its process.
LaneSpecs named_lanes(const std::vector<NsysTrack>& tracks) {
  SourceDraft draft(SourceInfo{});
  const NsysReportInfo info;
  std::vector<NsysTable> tables(1);
  tables[0].lane = "CPU samples";
  NsysLanes lanes(draft, info, tables, "report.sqlite");
  for (const NsysTrack& track : tracks) lanes.add(track);
  NsysProcess process;
  process.pid = kReportPid;
  process.rank = 3;
  process.role = "actor";
  lanes.set_names({}, {}, {{kReportProcess, process}});
  return draft.take().lanes;
}

NsysTrack track_of(NsysLane lane, std::int64_t owner) {
  NsysTrack track;
  track.lane = lane;
  track.owner = owner;
  return track;
}

}  // namespace

TEST_CASE("nsys_lanes: rows of a thread lie in the group of its process, whatever kind of rows they are") {
  for (const NsysLane lane : {NsysLane::Nvtx, NsysLane::Calls, NsysLane::Scheduling, NsysLane::Events}) {
    CAPTURE(static_cast<int>(lane));
    const NsysTrack track = track_of(lane, kReportProcess | 4728);
    const LaneSpec spec = named_lanes({track}).at(track.key());
    REQUIRE(spec.path.size() == 3);
    CHECK(spec.path[0].name == "rank 3 actor, pid 4711");
    CHECK(spec.rank() == 3);
    CHECK(spec.path[1].name == "thread 4728");
  }
  const NsysTrack of_process = track_of(NsysLane::Events, kReportProcess);
  CHECK(named_lanes({of_process}).at(of_process.key()).path.front().name == "rank 3 actor, pid 4711");
}

TEST_CASE("nsys_lanes: streams of several contexts have the contexts in their names, whatever runs on them") {
  for (const NsysLane lane : {NsysLane::Kernels, NsysLane::Nccl, NsysLane::Communication, NsysLane::Graphs, NsysLane::Memory}) {
    CAPTURE(static_cast<int>(lane));
    NsysTrack first = track_of(lane, kReportProcess);
    first.device = 0;
    first.context = 1;
    first.stream = 7;
    NsysTrack second = first;
    second.context = 2;
    const LaneSpecs lanes = named_lanes({first, second});
    CHECK(lanes.at(first.key()).path.at(2).name == "stream 7, context 1");
    CHECK(lanes.at(second.key()).path.at(2).name == "stream 7, context 2");
  }
}

TEST_CASE("nsys_lanes: a session that began centuries apart in UTC and in local time has no zone") {
  std::string bytes = read_file(fixtures_folder() + "/nsys_sqlite/small.sqlite");
  for (const std::string_view other : {"1678-01-01T00:00:00", "2261-12-31T00:00:00"}) {
    const std::size_t at = bytes.find("2026-05-28T20:26:40");
    REQUIRE(at != std::string::npos);
    bytes.replace(at, other.size(), other);
  }
  const TempDir folder;
  const auto trace = load_snapshot({folder.write("small.sqlite", bytes)}, test_pool())->trace;
  REQUIRE(trace->sources.size() == 1);
  CHECK(trace->sources.front().state == SourceState::Ready);
  CHECK(!trace->sources.front().zone_east);
}
