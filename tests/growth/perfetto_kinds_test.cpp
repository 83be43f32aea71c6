// Growth kinds for Perfetto traces: tracks and clocks. They are made without files, because reading costs so much that the work for
// pairs of them would only show among thousands.
#include "core/read/perfetto/perfetto_clocks.h"
#include "core/read/perfetto/perfetto_tracks.h"
#include "tests/growth/growth.h"
#include "tests/support/proto_text.h"

using namespace tv;
using namespace tv::test;

namespace {

std::string reading_of(std::uint64_t clock, std::uint64_t time) {
  using namespace perfetto;
  return proto_bytes(kClocks, proto_number(kClockId, clock) + proto_number(kClockTime, time));
}

const GrowthKind kPerfettoKinds[] = {
    {"tracks described one after the other", 640, [](Meter& meter, std::size_t n) {
       SourceDraft draft(SourceInfo{});
       PerfettoTracks tracks(draft, LaneSegment{"trace.pftrace"});
       meter.stage("tracks", [&] {
         for (std::size_t i = 0; i < n; ++i) {
           const std::string name = fmt::format("track {}", i);
           tracks.add_descriptor(proto_number(perfetto::kUuid, i + 1) + proto_bytes(perfetto::kTrackName, name));
           StringTable keys;
           keys.intern(PerfettoTracks::key_of(i + 1));
           tracks.name_lanes(keys);
         }
         tracks.rename_lanes();
       });
       CHECK(draft.take().lanes.size() == n);
     }},
    {"snapshots without the trace's clock", 640, [](Meter& meter, std::size_t n) {
       constexpr std::uint64_t kTraceClock = 6, kOtherClock = 3, kBegin = 1'000'000;
       PerfettoClocks clocks;
       std::size_t converted = 0;
       meter.stage("clocks", [&] {
         clocks.add_snapshot(0, reading_of(kTraceClock, kBegin + 500) + reading_of(kOtherClock, kBegin));
         for (std::size_t i = 1; i <= n; ++i) clocks.add_snapshot(0, reading_of(kOtherClock, kBegin + 100 * i));
         for (std::size_t i = 0; i < n; ++i) {
           const std::uint64_t at = kBegin + 100 * n + i;
           converted += clocks.time(0, kOtherClock, at) == static_cast<Ns>(at) + 500 ? 1 : 0;
         }
       });
       CHECK(converted == n);
     }},
    {"snapshots of the trace's clock or of the wall clock", 640, [](Meter& meter, std::size_t n) {
       constexpr std::uint64_t kTraceClock = 6, kWallClock = 1, kBegin = 1'000'000;
       PerfettoClocks clocks;
       meter.stage("clocks", [&] {
         for (std::size_t i = 0; i < n; ++i) clocks.add_snapshot(0, reading_of(i % 2 ? kWallClock : kTraceClock, kBegin + 100 * i));
       });
       CHECK(clocks.to_wall() == 0);
     }},
};

}  // namespace

TEST_SUITE("growth") {
  TEST_CASE("growth: tracks and clocks of Perfetto traces cost at most n log n") { check_growth(kPerfettoKinds); }
}
