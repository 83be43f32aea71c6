// Forged packed traces: their checksums are right, their contents are not. Most cases change a table and pack it again with
// tests/fuzz/section_bytes.h, as the mutator of fuzz_packed does, so this shows that such changes pass the checksums. The others
// write a Trace that no reader makes.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <limits>

#include "core/store/clock/clock_offset.h"
#include "core/store/logs/table_bytes.h"
#include "core/store/segments/compose.h"
#include "core/store/segments/trace_file.h"
#include "core/store/trace/lane_tree.h"
#include "tests/fuzz/section_bytes.h"
#include "tests/support/gen_trace.h"
#include "tests/support/temp_dir.h"
#include "tests/support/trace_text.h"

using namespace tv;
using namespace tv::test;

namespace {

std::string packed_sample(const TempDir& folder, TraceCoding coding) {
  TraceSketch sketch;
  sketch.lane("t", RowRule::Nest).lane("c", RowRule::Nest);
  for (int i = 0; i < 20; ++i) sketch.slice("t", 10 * i, 5).sample("c", 10 * i, 0.5 * i);
  auto file = SectionWriter::create(folder.path("t.tvx"), test_pool());
  REQUIRE(file.ok());
  write_trace(*file, *sketch.build(), coding);
  REQUIRE(file->finish().ok());
  return read_file(folder.path("t.tvx"));
}

Result<std::shared_ptr<Trace>> opened(const std::string& path) {
  const auto file = SectionFile::open(path, SectionFile::Access::Read);
  REQUIRE_MESSAGE(file.ok(), file.error().text());
  return read_trace(*file.value(), test_pool());
}

std::string hostile_file(const TempDir& folder, const Trace& trace) {
  auto file = SectionWriter::create(folder.path("hostile.tvx"), test_pool());
  REQUIRE(file.ok());
  write_trace(*file, trace, TraceCoding::Packed);
  REQUIRE(file->finish().ok());
  return folder.path("hostile.tvx");
}

// A trace of one lane without rows, which lies in `levels - 1` groups.
Trace a_lane_in(std::size_t levels) {
  Trace trace;
  trace.sources.emplace_back();
  for (std::size_t l = 0; l < levels; ++l) {
    Lane& lane = trace.lanes.emplace_back();
    lane.name = "level";
    lane.kind = l + 1 == levels ? LaneKind::Stream : LaneKind::Group;
    if (l > 0) lane.parent = id_at<LaneId>(l - 1);
    lane.depth = static_cast<std::uint16_t>(l);
    lane.subtree_end = id_at<LaneId>(levels);
  }
  return trace;
}

HeldSection& section_of(std::vector<HeldSection>& sections, std::string_view name) {
  const auto found = std::ranges::find(sections, name, &HeldSection::name);
  REQUIRE(found != sections.end());
  return *found;
}

}  // namespace

TEST_CASE("section_bytes: sections that the tests unpack and pack again give the program the same trace") {
  const TempDir folder;
  for (const TraceCoding coding : {TraceCoding::Plain, TraceCoding::Packed}) {
    const std::string file = packed_sample(folder, coding);
    const std::string before = trace_text(*opened(folder.path("t.tvx")).value());
    const auto sections = unpack_sections(file);
    REQUIRE(sections);
    CHECK(trace_text(*opened(folder.write("again.tvx", pack_sections(*sections))).value()) == before);
  }
}

TEST_CASE("trace_file: a changed table with right checksums gives a trace or is refused as contradictory") {
  const TempDir folder;
  const auto sections = unpack_sections(packed_sample(folder, TraceCoding::Packed));
  REQUIRE(sections);
  std::size_t refused = 0, taken = 0;
  for (std::size_t s = 0; s < sections->size(); ++s) {
    CAPTURE(sections->at(s).name);
    for (const std::uint64_t number :
         {~std::uint64_t{0}, std::uint64_t{INT64_MAX}, std::uint64_t{1} << 63, std::uint64_t{1}}) {
      auto changed = *sections;
      std::string& bytes = changed[s].bytes;
      if (bytes.size() < sizeof number) continue;
      std::memcpy(bytes.data() + bytes.size() - sizeof number, &number, sizeof number);
      const auto trace = opened(folder.write("changed.tvx", pack_sections(changed)));
      ++(trace.ok() ? taken : refused);
      if (trace.ok()) CHECK(!trace_text(*trace.value()).empty());
      if (!trace.ok()) CHECK(trace.error().message == "the file's tables contradict each other");
    }
  }
  CHECK(refused > 10);
  CHECK(taken > 0);
}

// origin + time is computed for everything: the sum must not overflow.
TEST_CASE("trace_file: an origin or an end that would overflow is refused") {
  const TempDir folder;
  const auto sections = unpack_sections(packed_sample(folder, TraceCoding::Packed));
  REQUIRE(sections);
  const auto with = [&](Ns origin, Ns end) {
    auto changed = *sections;
    std::string& bytes = section_of(changed, "trace").bytes;  // the origin, then the extent
    std::memcpy(bytes.data(), &origin, sizeof origin);
    std::memcpy(bytes.data() + 16, &end, sizeof end);
    return opened(folder.write("changed.tvx", pack_sections(changed)));
  };
  static_assert(kFarthestTime <= INT64_MAX - kFarthestTime);
  for (const Ns origin : {Ns{0}, 1'700'000'000 * kSecond, kFarthestTime, -kFarthestTime}) {
    for (const Ns end : {Ns{1000}, kFarthestTime}) {
      CAPTURE(origin);
      CAPTURE(end);
      const auto trace = with(origin, end);
      if (origin == kFarthestTime && end == kFarthestTime) {  // there is no room to move the clock
        CHECK(!trace.ok());
        continue;
      }
      REQUIRE(trace.ok());
      CHECK(trace.value()->origin_ns == origin);
      CHECK(trace.value()->extent.end == end);
    }
    for (const Ns end : {kFarthestTime + 1, INT64_MAX}) {
      CAPTURE(origin);
      CAPTURE(end);
      const auto trace = with(origin, end);
      REQUIRE(!trace.ok());
      CHECK(trace.error().message == "the file's tables contradict each other");
    }
  }
  for (const Ns origin : {kFarthestTime + 1, -kFarthestTime - 1, INT64_MAX, INT64_MIN}) {
    CAPTURE(origin);
    const auto trace = with(origin, 1000);
    REQUIRE(!trace.ok());
    CHECK(trace.error().message == "the file's tables contradict each other");
  }
}

// Recorded time = time - fitted - aligned (built_to_recorded()).
TEST_CASE("trace_file: a source whose recorded times would overflow is refused") {
  const TempDir folder;
  const auto with = [&](Ns origin, Ns aligned, Ns fitted = 0, Ns clock_offset = 0) {
    Trace trace;
    trace.origin_ns = origin;
    trace.extent = {0, 1000};
    SourceInfo& source = trace.sources.emplace_back();
    source.aligned.by = aligned;
    source.clock_fit.evidence = ClockEvidence::Collectives;
    source.clock_fit.offset = fitted;
    source.clock_offset = clock_offset;
    return opened(hostile_file(folder, trace));
  };
  for (const Ns t : {kFarthestTime, -kFarthestTime}) {
    CAPTURE(t);
    CHECK(with(t, 0).ok());
    CHECK(with(0, t).ok());
    CHECK(with(t, t).ok());
    for (const Ns offset : {kLongestClockOffset, -kLongestClockOffset}) {
      CHECK(with(t, 0, offset).ok());
      CHECK(with(t, 0, 0, offset).ok());
    }
    CHECK(!with(t, -t).ok());
    CHECK(with(t, 0, kLongestClockOffset + 1).error().message == "the file's tables contradict each other");
  }
}

TEST_CASE("trace_file: collectives beyond the trace are refused") {
  const TempDir folder;
  const auto with = [&](Ns begin, Ns end) {
    Trace trace = a_lane_in(1);
    trace.extent = {0, 1000};
    trace.collectives.emplace().push_back({SourceId{0}, LaneId{0}, {{1, SegmentRange::of({begin, end})}}});
    return opened(hostile_file(folder, trace));
  };
  CHECK(with(0, 1000).ok());
  CHECK(!with(0, 1001).ok());
  CHECK(!with(-1, 5).ok());
  CHECK(!with(7, 6).ok());
  CHECK(!with(0, kFarthestTime).ok());
}

// Each level takes a stack frame, and each lane a copy of its path, when a view is made.
TEST_CASE("trace_file: lanes that are nested too deeply are refused, and so is a lane with a wrong parent") {
  const TempDir folder;
  const auto deepest = opened(hostile_file(folder, a_lane_in(kMostLaneLevels)));
  REQUIRE(deepest.ok());
  const auto view = compose({deepest.value(), deepest.value()});
  REQUIRE(view.ok());
  for (const std::size_t levels : {kMostLaneLevels + 1, std::size_t{15'500}}) {
    CAPTURE(levels);
    const auto refused = opened(hostile_file(folder, a_lane_in(levels)));
    REQUIRE(!refused.ok());
    CHECK(refused.error().message == "its lanes are nested more than 64 levels deep");
  }
  Trace trace = a_lane_in(3);
  trace.lanes[2].parent = LaneId{0};
  CHECK(opened(hostile_file(folder, trace)).error().message == "the file's tables contradict each other");
  Trace flat = a_lane_in(1);
  flat.lanes.push_back(flat.lanes[0]);
  flat.lanes[1].subtree_end = LaneId{2};
  CHECK(opened(hostile_file(folder, flat)).ok());
  flat.lanes[1].parent = LaneId{0};
  CHECK(!opened(hostile_file(folder, flat)).ok());
}

// A chart has no place for such values, and JSON has no words for them.
TEST_CASE("trace_file: counter values that are not finite are left out") {
  const TempDir folder;
  auto sections = unpack_sections(packed_sample(folder, TraceCoding::Packed));
  REQUIRE(sections);
  std::string& bytes = section_of(*sections, "counters.value").bytes;
  const double infinite = std::numeric_limits<double>::infinity(), none = std::numeric_limits<double>::quiet_NaN();
  std::memcpy(bytes.data(), &none, sizeof none);
  std::memcpy(bytes.data() + bytes.size() - sizeof infinite, &infinite, sizeof infinite);
  const auto trace = opened(folder.write("changed.tvx", pack_sections(*sections)));
  REQUIRE(trace.ok());
  const CounterSeries& series = trace.value()->counters.at(0);
  CHECK(series.value.size() == 18);
  CHECK(series.time.front() == 10);
  CHECK(series.time.back() == 180);
  CHECK(series.min == 0.5);
  CHECK(series.max == 9);
}

// Code that draws or exports a lane has a place for each of its slots.
TEST_CASE("trace_file: rows with slots or depths that their lane does not have are refused") {
  const TempDir folder;
  const auto sections = unpack_sections(packed_sample(folder, TraceCoding::Packed));
  REQUIRE(sections);
  const auto with = [&](std::size_t at, auto number) {
    auto changed = *sections;
    std::memcpy(section_of(changed, "rows").bytes.data() + at, &number, sizeof number);
    return opened(folder.write("changed.tvx", pack_sections(changed)));
  };
  const std::size_t row = 8;  // after the count, in bytes: lane 4, kind 1, depth 2, slot 4, ...
  CHECK(with(row + 7, std::uint32_t{0}).ok());
  for (const std::uint32_t slot : {1u, 1'000'000u, UINT32_MAX}) CHECK(!with(row + 7, slot).ok());
  CHECK(!with(row + 5, std::uint16_t{1}).ok());
}

// In a file of an earlier version, a lane's parent is looked at before the lanes are checked.
TEST_CASE("trace_file: a damaged lane in a file without the sections of later versions is refused or does no harm") {
  const TempDir folder;
  TraceSketch sketch;
  sketch.lane("CUDA API", RowRule::Nest).slice("CUDA API", 0, 5);
  auto file = SectionWriter::create(folder.path("t.tvx"), test_pool());
  REQUIRE(file.ok());
  write_trace(*file, *sketch.build(), TraceCoding::Packed);
  REQUIRE(file->finish().ok());
  auto sections = unpack_sections(read_file(folder.path("t.tvx")));
  REQUIRE(sections);
  std::erase_if(*sections, [](const HeldSection& section) { return section.name == "threads"; });
  CHECK(opened(folder.write("earlier.tvx", pack_sections(*sections))).ok());
  std::size_t refused = 0;
  for (std::size_t at = 8; at + 4 <= section_of(*sections, "lanes").bytes.size(); ++at) {
    auto changed = *sections;
    const std::uint32_t number = 0x00'10'00'00;
    std::memcpy(section_of(changed, "lanes").bytes.data() + at, &number, sizeof number);
    refused += opened(folder.write("changed.tvx", pack_sections(changed))).ok() ? 0 : 1;
  }
  CHECK(refused > 10);
}
