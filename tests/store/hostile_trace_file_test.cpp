// A forged packed trace: its checksums are right, its contents are not. Each case changes a table and packs it again with
// tests/fuzz/section_bytes.h, as the mutator of fuzz_packed does, so this shows that such changes pass the checksums.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <fstream>

#include "core/store/logs/table_bytes.h"
#include "core/store/segments/trace_file.h"
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

// The readers of a file of an earlier version look at a lane's parent before the lanes are checked.
TEST_CASE("trace_file: a damaged lane in a file without later sections is refused or does no harm") {
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
