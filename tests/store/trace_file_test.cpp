#include "core/store/segments/trace_file.h"

#include <doctest/doctest.h>

#include <cstring>
#include <functional>
#include <map>
#include <optional>

#include "core/index/trace_index.h"
#include "core/store/clock/clock_offset.h"
#include "tests/support/gen_trace.h"
#include "tests/support/temp_dir.h"
#include "tests/support/trace_text.h"

using namespace tv;
using namespace tv::test;

namespace {

constexpr TraceCoding kCodings[] = {TraceCoding::Plain, TraceCoding::Packed};

void write(const std::string& path, const Trace& trace, TraceCoding coding) {
  auto file = SectionWriter::create(path, test_pool());
  REQUIRE(file.ok());
  write_trace(*file, trace, coding);
  REQUIRE(file->finish().ok());
}

Result<std::shared_ptr<Trace>> read(const std::string& path) {
  auto file = SectionFile::open(path, SectionFile::Access::Mapped);
  REQUIRE(file.ok());
  return read_trace(**file, test_pool());
}

constexpr std::string_view kSections[] = {"trace", "sources", "labels", "lanes", "rows", "slices.begin", "slices.duration",
                                          "slices.self", "slices.label", "slices.ref", "flows", "flows_by_end",
                                          "counters", "counters.time", "counters.value", "placing", "extents", "lane order",
                                          "owners", "threads", "runs", "metrics"};

// The same file with one section changed, or another left out, and all checksums right, as if forged.
void rewrite(const std::string& from, const std::string& to, std::string_view changed,
             const std::function<void(std::string&)>& change, std::string_view left_out = {}) {
  auto file = SectionFile::open(from, SectionFile::Access::Read);
  REQUIRE(file.ok());
  auto writer = SectionWriter::create(to, test_pool());
  REQUIRE(writer.ok());
  for (const std::string_view name : kSections) {
    const auto section = (*file)->find(name);
    if (name == left_out || !section) continue;
    const auto loaded = (*file)->load(*section, test_pool());
    REQUIRE(loaded.ok());
    std::string bytes(loaded.value().text());
    if (name == changed) change(bytes);
    writer->add(name, SectionCoding::Plain, bytes);
  }
  REQUIRE(writer->finish().ok());
}

}  // namespace

TEST_CASE("trace_file: a trace comes back as it was, in both codings") {
  const TempDir folder;
  for (const std::uint64_t seed : seeds(60)) {
    CAPTURE(seed);
    const auto trace = gen_trace(seed, shape_of(seed)).build();
    for (const TraceCoding coding : kCodings) {
      write(folder.path("t"), *trace, coding);
      const auto back = read(folder.path("t"));
      REQUIRE_MESSAGE(back.ok(), back.error().text());
      CHECK(trace_text(*back.value()) == trace_text(*trace));
      CHECK(back.value()->origin_ns == trace->origin_ns);
      CHECK(back.value()->extent == trace->extent);
      CHECK(back.value()->slice_count == trace->slice_count);
      CHECK(check_invariants(*back.value()).empty());
    }
  }
}

TEST_CASE("trace_file: facts about sources come back, and unknown kinds of problems are left out") {
  const TempDir folder;
  auto trace = std::make_shared<Trace>(Trace{});
  SourceInfo source;
  source.path = "/a b/\xE4\xB8\xAD.json";
  source.format = "chrome_json";
  source.state = SourceState::Ready;
  source.rank = -3;
  source.role = "rollout";
  source.wall_clock = true;
  source.clock_offset = -250'000'000;
  source.database = "/cache/nsys/1.sqlite";
  source.host = "node-3";
  source.pid = 4711;
  source.phase = "update_actor";
  source.facts = {{"rank", "3", "captured environment RANK"}, {"step", "12", "NVTX range \"step 12\""}};
  source.clock_fit.evidence = ClockEvidence::Collectives;
  source.clock_fit.unit = 3;
  source.clock_fit.group = 1;
  source.clock_fit.name = "rank 3";
  source.clock_fit.found = 12'000'000'123;
  source.clock_fit.offset = 12'000'000'123;
  source.clock_fit.matched = 214;
  source.clock_fit.residual = 2'900;
  source.clock_fit.residual_p90 = 7'100;
  source.clock_fit.partners = "rank 0, rank 1";
  source.clock_fit.text = "clock moved by +12.000000123s";
  source.problems.add(ProblemKind::bad_line, 7, "excerpt");
  source.problems.add_count(ProblemKind::bad_line, 41);
  trace->sources = {source, SourceInfo{}};
  write(folder.path("t"), *trace, TraceCoding::Packed);
  const auto back = read(folder.path("t"));
  REQUIRE(back.ok());
  const SourceInfo& found = back.value()->sources[0];
  CHECK(found.path == source.path);
  CHECK(found.rank == -3);
  CHECK(!found.step.has_value());
  CHECK(found.role == "rollout");
  CHECK(found.wall_clock);
  CHECK(found.clock_offset == -250'000'000);
  CHECK(found.host == "node-3");
  CHECK(found.pid == 4711);
  CHECK(found.phase == "update_actor");
  CHECK(found.facts == source.facts);
  CHECK(found.clock_fit == source.clock_fit);
  CHECK(back.value()->sources[1].clock_offset == 0);
  CHECK(found.database == "/cache/nsys/1.sqlite");
  CHECK(back.value()->sources[1].facts.empty());
  CHECK(back.value()->sources[1].clock_fit == ClockFit{});
  CHECK(found.problems.count(ProblemKind::bad_line) == 42);
  CHECK(found.problems.entries()[0].examples[0].excerpt == "excerpt");

  rewrite(folder.path("t"), folder.path("newer"), "sources", [](std::string& bytes) {
    const std::size_t at = bytes.find("bad_line");
    REQUIRE(at != std::string::npos);
    bytes[at] = 'X';
  });
  const auto newer = read(folder.path("newer"));
  REQUIRE(newer.ok());
  CHECK(newer.value()->sources[0].problems.empty());
}

TEST_CASE("trace_file: source extents come back, invalid ones are refused, and an earlier version's are guessed") {
  const TempDir folder;
  const auto trace = TraceSketch().instant("t", 5).slice("t", 10, 20).instant("t", 90).build();
  REQUIRE(trace->sources[0].extent == TimeRange{0, 85});
  REQUIRE(trace->work == TimeRange{5, 25});
  write(folder.path("t"), *trace, TraceCoding::Packed);
  CHECK(read(folder.path("t")).value()->sources[0].extent == trace->sources[0].extent);
  for (const Ns end : {Ns{24}, Ns{86}}) {
    CAPTURE(end);
    rewrite(folder.path("t"), folder.path("bad"), "extents", [&](std::string& bytes) {
      REQUIRE(bytes.size() == 1 + 2 * sizeof end);
      std::memcpy(bytes.data() + 1 + sizeof end, &end, sizeof end);
    });
    CHECK(!read(folder.path("bad")).ok());
  }
  rewrite(folder.path("t"), folder.path("old"), "placing", [](std::string&) {}, "extents");
  CHECK(read(folder.path("old")).value()->sources[0].extent == trace->sources[0].extent);
}

TEST_CASE("trace_file: lane owners come back, and are taken from names in a file of an earlier version") {
  const TempDir folder;
  TraceSketch sketch;
  const LaneOwner odd{.member = "rank 7", .rank = 7, .pid = 12, .thread = 5, .stream = 9};
  sketch.lane("t", {{{"any name", 0, {}, odd}, {"Rank 1 - GPU streams"}, {"stream 3"}}, LaneKind::Stream});
  const auto trace = sketch.slice("t", 10, 20).build();
  write(folder.path("t"), *trace, TraceCoding::Packed);
  const auto owners = [&](const char* name) {
    std::vector<LaneOwner> all;
    const auto back = read(folder.path(name));
    REQUIRE(back.ok());
    for (const Lane& lane : back.value()->lanes) all.push_back(lane.owner);
    return all;
  };
  const LaneOwner process{.member = "rank 1", .rank = 1};
  const LaneOwner stream{.stream = 3};
  CHECK(owners("t") == std::vector<LaneOwner>{odd, process, stream});
  rewrite(folder.path("t"), folder.path("old"), "placing", [](std::string&) {}, "threads");
  LaneOwner without_threads = odd;
  without_threads.thread = without_threads.stream = std::nullopt;
  CHECK(owners("old") == std::vector<LaneOwner>{without_threads, process, stream});
  rewrite(folder.path("old"), folder.path("older"), "placing", [](std::string&) {}, "owners");
  CHECK(owners("older") == std::vector<LaneOwner>{{}, process, stream});
}

TEST_CASE("trace_file: runs of lanes come back, and are taken from the names of a log's groups in a file of an earlier version") {
  const TempDir folder;
  TraceSketch sketch;
  sketch.lane("t", {{{"any name", 0, {}, {.run = "exp"}}, {"steps"}}, LaneKind::Annotation});
  const auto trace = std::const_pointer_cast<Trace>(sketch.slice("t", 10, 20).build());
  const auto runs = [&](const char* name) {
    std::string all;
    const auto back = read(folder.path(name));
    REQUIRE(back.ok());
    for (const Lane& lane : back.value()->lanes) all += lane.owner.run + ", ";
    return all;
  };
  trace->metrics.files.emplace_back();
  write(folder.path("log"), *trace, TraceCoding::Packed);
  CHECK(runs("log") == "exp, , ");
  rewrite(folder.path("log"), folder.path("old"), "placing", [](std::string&) {}, "runs");
  CHECK(runs("old") == "any name, , ");
  rewrite(folder.path("old"), folder.path("no_log"), "placing", [](std::string&) {}, "metrics");
  CHECK(runs("no_log") == ", , ");
}

TEST_CASE("trace_file: a rollout log's run is found again from its path") {
  const TempDir folder;
  const auto trace = std::const_pointer_cast<Trace>(TraceSketch().slice("t", 10, 20).build());
  trace->sources[0].format = "verl_rollout";
  trace->sources[0].path = "/logs/exp/step_3/worker_0.jsonl";
  write(folder.path("t"), *trace, TraceCoding::Packed);
  CHECK(read(folder.path("t")).value()->sources[0].run == "/logs/exp");
}

TEST_CASE("trace_file: clock offsets up to the limit come back, longer ones are refused") {
  const TempDir folder;
  Trace trace;
  trace.sources.resize(2);
  const auto back = [&](Ns first, Ns second) {
    trace.sources[0].clock_offset = first;
    trace.sources[1].clock_offset = second;
    write(folder.path("t"), trace, TraceCoding::Plain);
    return read(folder.path("t"));
  };
  const auto furthest = back(kLongestClockOffset, -kLongestClockOffset);
  REQUIRE(furthest.ok());
  CHECK(furthest.value()->sources[0].clock_offset == kLongestClockOffset);
  CHECK(furthest.value()->sources[1].clock_offset == -kLongestClockOffset);
  CHECK(!back(kLongestClockOffset + 1, 0).ok());
  CHECK(!back(0, -kLongestClockOffset - 1).ok());
}

TEST_CASE("trace_file: a damaged section is reported as damage, not as a contradiction") {
  const TempDir folder;
  TraceSketch sketch;
  sketch.lane("t", RowRule::Nest).slice("t", 10, 5, "a name of its own");
  write(folder.path("t"), *sketch.build(), TraceCoding::Plain);
  std::string bytes = read_file(folder.path("t"));
  const std::size_t at = bytes.find("a name of its own");
  REQUIRE(at != std::string::npos);
  bytes[at] = 'A';
  const std::string damaged = folder.write("damaged", bytes);
  for (const auto access : {SectionFile::Access::Mapped, SectionFile::Access::Read}) {
    const auto file = SectionFile::open(damaged, access);
    REQUIRE(file.ok());
    const auto trace = read_trace(*file.value(), test_pool());
    REQUIRE(!trace.ok());
    CHECK(trace.error().message == "the file is damaged or was cut off");
    CHECK(trace.error().file == damaged);
  }
}

TEST_CASE("trace_file: ids, times and rows out of range are refused") {
  const TempDir folder;
  TraceSketch sketch;
  sketch.lane("t", RowRule::Nest);
  for (int i = 0; i < 20; ++i) sketch.slice("t", 10 * i, 5);
  write(folder.path("t"), *sketch.build(), TraceCoding::Plain);
  const auto refused = [&](std::string_view section, std::size_t at, std::string_view bytes) {
    rewrite(folder.path("t"), folder.path("bad"), section, [&](std::string& text) { text.replace(at, bytes.size(), bytes); });
    return !read(folder.path("bad")).ok();
  };
  const std::string ones(8, '\xff'), minus = ones, huge(7, '\x7f');
  CHECK(refused("slices.label", 4, ones.substr(0, 4)));
  CHECK(refused("slices.begin", 0, minus));
  CHECK(refused("slices.begin", 8, std::string(8, '\0')));  // two overlap in a row
  CHECK(refused("slices.duration", 8, huge));
  CHECK(refused("slices.self", 8, huge));
  CHECK(refused("slices.ref", 6, "\x09"));  // a tenth source
  CHECK(refused("rows", 8, ones));
  CHECK(refused("trace", 8, ones));
}

TEST_CASE("trace_file: a file with any bytes in its tables is refused or gives a valid trace") {
  const TempDir folder;
  int read_all_the_same = 0;
  std::optional<std::uint64_t> written;
  for (const std::uint64_t seed : seeds(300)) {
    CAPTURE(seed);
    Random random(seed);
    if (written != seed / 30) {
      written = seed / 30;
      write(folder.path("t"), *gen_trace(*written, shape_of(*written)).build(), TraceCoding::Plain);
    }
    const std::string_view section = random.one_of(kSections);
    rewrite(folder.path("t"), folder.path("changed"), section, [&](std::string& bytes) {
      if (bytes.empty()) return bytes.assign(24, '\x01'), void();
      const auto at = static_cast<std::size_t>(random.in(0, static_cast<std::int64_t>(bytes.size()) - 1));
      bytes[at] = static_cast<char>(random.in(0, 255));
      if (random.chance(0.1)) bytes.resize(at);
    });
    const auto trace = read(folder.path("changed"));
    if (!trace) continue;
    ++read_all_the_same;
    CHECK(check_invariants(*trace.value()).empty());
    CHECK(!trace_text(*trace.value()).empty());
    CHECK(build_index(*trace.value(), test_pool()) != nullptr);
  }
  CHECK(read_all_the_same > 0);
}
