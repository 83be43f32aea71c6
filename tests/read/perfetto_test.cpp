// What Perfetto traces hold, against what tests/fixtures/make_perfetto_fixtures.py wrote into them.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <string>

#include "core/read/perfetto/perfetto_fields.h"
#include "core/read/perfetto/perfetto_packets.h"
#include "core/read/perfetto/perfetto_sequence.h"
#include "core/read/perfetto/perfetto_tracks.h"
#include "core/read/perfetto/proto_fields.h"
#include "core/read/registry.h"
#include "core/session/load/load_job.h"
#include "core/session/records/load_args.h"
#include "core/store/trace/trace_dump.h"
#include "tests/read/fixture_cases.h"
#include "tests/support/gen_trace.h"
#include "tests/support/golden.h"
#include "tests/support/proto_text.h"
#include "tests/support/temp_dir.h"

using namespace tv;
using namespace tv::test;

namespace {

std::string perfetto_fixture(const std::string& name) { return fixtures_folder() + "/perfetto/" + name + ".pftrace"; }

std::shared_ptr<const Trace> perfetto_trace(const std::string& name) {
  return load_snapshot({perfetto_fixture(name)}, test_pool())->trace;
}

std::size_t slice_called(const Trace& trace, std::string_view name) {
  for (std::size_t i = 0; i < trace.slices.size(); ++i) {
    if (trace.labels.name(trace.slices.label[i]) == name) return i;
  }
  FAIL("no slice " << std::string(name));
  return 0;
}

std::string record_text(const Trace& trace, std::string_view name) {
  const ItemRef ref = trace.slices.ref[slice_called(trace, name)];
  const auto record = load_args(trace.sources[idx(ref.source())], ref);
  REQUIRE(record.ok());
  return record.value().text;
}

std::string samples_of(const Trace& trace, std::string_view lane) {
  std::string out;
  for (const CounterSeries& series : trace.counters) {
    if (trace.lane(series.lane).name != lane) continue;
    for (std::size_t i = 0; i < series.time.size(); ++i)
      out += std::to_string(series.time[i] / 1000) + ":" + std::to_string(series.value[i]) + " ";
  }
  return out;
}

std::string event_packet(std::uint64_t time, std::uint32_t sequence, const std::string& event) {
  using namespace perfetto;
  return proto_bytes(kPacket, proto_number(kTimestamp, time) + proto_number(kSequenceId, sequence) + proto_bytes(kTrackEvent, event));
}

std::string annotation_of(std::string_view name, std::uint64_t value) {
  return proto_bytes(perfetto::kAnnotations, proto_bytes(perfetto::kName, name) + proto_number(perfetto::kUint, value));
}

}  // namespace

TEST_CASE("perfetto: the wall clock, threads with their process and unfinished slices are read") {
  const auto trace = perfetto_trace("threads");
  CHECK(trace->origin_ns == 1'700'000'000'000'000'000);
  CHECK(trace->sources.front().wall_clock);
  CHECK(trace->slice_count == 5);
  const std::size_t never = slice_called(*trace, "never ends");
  CHECK(trace->slices.ref[never].is(kUnfinished));
  CHECK(trace->slices.duration[slice_called(*trace, "backward")] == 40'000);
  CHECK(trace->labels.category(trace->slices.label[slice_called(*trace, "step")]) == "loop,user");
  const Lane& lane = trace->lane(trace->row(trace->row_of(id_at<SliceId>(never))).lane);
  CHECK(lane.name == "worker 101");
  CHECK(trace->lane(lane.parent).name == "trainer 100");
}

TEST_CASE("perfetto: interned ids are valid within a sequence, since its last reset") {
  const auto trace = perfetto_trace("interned");
  CHECK(
      record_text(*trace, "first") ==
      R"json({"name": "first", "category": "cat", "args": {"key": -5, "text": "value of first", "source_location": "run() (a.cc:12)", "said at the end": 0.5}})json");
  CHECK(record_text(*trace, "other") == R"({"name": "other", "args": {"another key": true}})");
  CHECK(record_text(*trace, "second") == R"({"name": "second", "args": {"#9": 1}})");
  CHECK(record_text(*trace, "after the reset") ==
        R"({"name": "after the reset", "args": {"key after": "value after"}})");
  CHECK(record_text(*trace, "#77") == R"({"name": "#77", "args": {}})");
}

TEST_CASE("perfetto: annotations of every kind become args") {
  const auto trace = perfetto_trace("annotations");
  CHECK(record_text(*trace, "all") ==
        "{\"name\": \"all\", \"args\": {\"yes\": true, \"uint\": 18446744073709551615, \"int\": -1, \"real\": 0.1, "
        "\"nan\": \"nan\", "
        "\"text\": \"a \\\"b\\\" \\n \u4f60\", \"pointer\": \"0xdead\", \"json\": {\"a\": [1, {\"b\": null}]}, \"bad "
        "json\": {\"oops\": null}, "
        "\"old\": {\"a\": 3, \"b\": [\"x\", true]}, \"empty\": {}, \"dict\": {\"x\": 1, \"y\": [\"z\"]}, "
        "\"correlation_id\": 99, "
        "\"field 24\": \"2 bytes that this version does not read\"}}");
}

TEST_CASE("perfetto: arrows connect a flow's slices in order of time") {
  const auto trace = perfetto_trace("flows");
  std::string arrows;
  for (const Flow& flow : trace->flows) {
    arrows += std::string(trace->name_of(flow.from)) + "->" +
              std::string(trace->name_of(flow.to)) + " ";
  }
  CHECK(arrows ==
        "first->between first->ends six six again->old numbers between->last old numbers->after old numbers->after ");
}

TEST_CASE("perfetto: counters may be absolute or incremental, have units, and come with other events") {
  const auto trace = perfetto_trace("counters");
  CHECK(samples_of(*trace, "memory (bytes)") == "0:4096.000000 10:-2048.000000 20:512.000000 ");
  CHECK(samples_of(*trace, "main 7 thread time") == "0:5.000000 10:8.000000 40:1.000000 51:2.000000 ");
  CHECK(samples_of(*trace, "ticks") == "0:7.000000 10:8.000000 20:100.000000 51:2.000000 ");
  CHECK(samples_of(*trace, "share (%)") == "0:0.250000 10:0.750000 ");
  CHECK(trace->sources.front().problems.count(ProblemKind::not_a_number) == 1);
  CHECK(trace->sources.front().problems.count(ProblemKind::bad_counter) == 1);
}

TEST_CASE("perfetto: times of other clocks are converted by clock snapshots") {
  const auto trace = perfetto_trace("clocks");
  const auto begin_us = [&](std::string_view name) {
    return trace->slices.begin[slice_called(*trace, name)] + trace->origin_ns - 1'700'000'000'000'000'000;
  };
  CHECK(begin_us("counts on") == 1'100'000);
  CHECK(trace->slices.duration[slice_called(*trace, "counts on")] == 50'000);
  CHECK(begin_us("monotonic") == 2'000'000);
  CHECK(trace->slices.duration[slice_called(*trace, "monotonic")] == 500'000);
  CHECK(begin_us("after they drifted") == 10'001'000);
  CHECK(trace->sources.front().problems.count(ProblemKind::bad_time) == 1);
}

TEST_CASE("perfetto: tracks keep their order, and siblings with equal names share a lane") {
  const auto trace = perfetto_trace("tracks");
  std::string lanes;
  for (const Lane& lane : trace->lanes) lanes += std::string(2 * lane.depth, ' ') + lane.name + "\n";
  CHECK(lanes.find("outer\n") != std::string::npos);
  CHECK(lanes.find("zebra\n") < lanes.find("ant\n"));  // the order that the file gives
  const auto row_of = [&](std::string_view name) {
    return trace->row(trace->row_of(id_at<SliceId>(slice_called(*trace, name))));
  };
  CHECK(row_of("r1").lane == row_of("r2").lane);
  CHECK(row_of("r2").lane == row_of("in r2").lane);
  CHECK(row_of("in r2").depth == row_of("r2").depth + 1);
  CHECK(trace->instant_count == 2);
}

TEST_CASE("perfetto: legacy events from the JSON format are read") {
  const auto trace = perfetto_trace("legacy");
  CHECK(trace->slices.duration[slice_called(*trace, "b")] == 10'000);
  CHECK(trace->slices.duration[slice_called(*trace, "x")] == 4'000);
  CHECK(trace->slices.duration[slice_called(*trace, "n")] == 10'000);
  CHECK(trace->slices.ref[slice_called(*trace, "no length")].is(kUnfinished));
  CHECK(trace->flows.size() == 1);
  CHECK(trace->counters.size() == 2);
  CHECK(trace->sources.front().problems.count(ProblemKind::unsupported_phase) == 1);
}

TEST_CASE("perfetto: records in compressed packets can be read again, also from a gzip file") {
  for (const char* const kind : {"plain", "gz"}) {
    CAPTURE(kind);
    const TempDir folder;
    const std::string bytes = read_file(perfetto_fixture("compressed"));
    const std::string path = folder.write("c.pftrace", bytes);
    if (std::string_view(kind) == "gz") REQUIRE(std::system(("gzip " + path).c_str()) == 0);
    const auto trace = load_snapshot({kind == std::string_view("gz") ? path + ".gz" : path}, test_pool())->trace;
    REQUIRE(trace->slice_count == 4);
    for (const auto& [name, n] : std::map<std::string, int>{{"d", 4}, {"a", 1}, {"c", 3}, {"b", 2}}) {
      CHECK(record_text(*trace, name) == "{\"name\": \"" + name + "\", \"args\": {\"n\": " + std::to_string(n) + "}}");
    }
    CHECK(trace->sources.front().by_row);
  }
}

TEST_CASE("perfetto: records after a packet that cannot be inflated are found") {
  const TempDir folder;
  const std::string damaged = "\x0a\x0a\x92\x03\x07garbage";  // compressed_packets of seven bytes
  for (const std::string& path : {folder.write("before.pftrace", damaged + damaged + read_file(perfetto_fixture("compressed"))),
                                  folder.write("between.pftrace", read_file(perfetto_fixture("compressed")) + damaged +
                                                                      read_file(perfetto_fixture("interned")))}) {
    CAPTURE(path);
    const auto trace = load_snapshot({path}, test_pool())->trace;
    CHECK(trace->sources.front().problems.count(ProblemKind::bad_record) == (path.ends_with("before.pftrace") ? 2 : 1));
    for (std::size_t i = 0; i < trace->slices.size(); ++i) {
      const std::string name(trace->labels.name(trace->slices.label[i]));
      CHECK(record_text(*trace, name).starts_with("{\"name\": \"" + name + "\""));
    }
  }
}

TEST_CASE("perfetto: packets that are not read are counted by field name") {
  const auto trace = perfetto_trace("unread");
  std::string said;
  for (const ProblemCount& problem : trace->sources.front().problems.entries()) {
    if (problem.kind == ProblemKind::unsupported_phase) {
      for (const ProblemExample& example : problem.examples) said += example.excerpt + "; ";
      CHECK(problem.count == 4);
    }
  }
  CHECK(said == "ftrace_events: 2 packets; trace_stats: 1 packet; field 999: 1 packet; ");
  CHECK(trace->sources.front().problems.count(ProblemKind::missing_phase) == 1);
  const Lane& lane = trace->lane(trace->row(trace->row_of(id_at<SliceId>(0))).lane);
  CHECK(lane.name == "loader 8");
  CHECK(trace->lane(lane.parent).name == "python3 7");
}

TEST_CASE("perfetto: text is not taken for a Perfetto trace") {
  const Reader& reader = *find_reader("perfetto");
  for (const std::string_view text : {"", "\n", "\n\n\n", "\n{\"traceEvents\":[]}", "\n[1, 2]",
                                      "\nhello world, this is a log\n", "\n\x10 ab", "\x0a"}) {
    CAPTURE(std::string(text));
    CHECK(reader.probe({"x.txt", text}) == 0);
  }
  CHECK(reader.probe({"x", read_file(perfetto_fixture("threads"))}) > 60);
}

TEST_CASE("protobuf fields: varint, 32-bit and byte fields are read, and none beyond the end") {
  ProtoFields broken(
      std::string_view("\x0a\x05"
                       "ab",
                       4));
  ProtoField field;
  CHECK(!broken.next(field));
  CHECK(broken.damaged());
  ProtoFields fields(std::string_view("\x08\x96\x01\x15\x00\x00\x80\x3f\x1a\x01x", 11));
  REQUIRE(fields.next(field));
  CHECK(field.number == 1);
  CHECK(field.value == 150);
  REQUIRE(fields.next(field));
  CHECK(field.real() == 1.0);
  REQUIRE(fields.next(field));
  CHECK(field.bytes == "x");
  CHECK(!fields.next(field));
  CHECK(!fields.damaged());
}

TEST_CASE("perfetto: new defaults of a sequence replace all earlier ones") {
  PerfettoSequence sequence;
  sequence.set_defaults("\x5a\x02\x58\x05");  // track_event_defaults { track_uuid: 5 }
  CHECK(sequence.track == std::optional<std::uint64_t>(5));
  sequence.set_defaults("\xd0\x03\x40");  // timestamp_clock_id: 64
  CHECK(!sequence.track);
  CHECK(sequence.clock == std::optional<std::uint32_t>(64));
  sequence.set_defaults({});
  CHECK(!sequence.clock);
}

TEST_CASE("perfetto: annotations of an end belong to the slice that it ends, on threads that events name one by one") {
  using namespace perfetto;
  const auto phase = [](char letter, std::uint64_t tid) {
    return proto_bytes(kLegacyEvent, proto_number(kPhase, static_cast<unsigned char>(letter)) + proto_number(kTidOverride, tid));
  };
  const TempDir folder;
  const std::string path = folder.write("threads_named.pftrace",
                                        event_packet(1000, 1, proto_bytes(kNameText, "on one") + phase('B', 1)) +
                                            event_packet(2000, 1, proto_bytes(kNameText, "on two") + phase('B', 2)) +
                                            event_packet(3000, 1, annotation_of("said at the end", 7) + phase('E', 1)) +
                                            event_packet(4000, 1, phase('E', 2)));
  const auto trace = load_snapshot({path}, test_pool())->trace;
  REQUIRE(trace->slice_count == 2);
  CHECK(trace->slices.duration[slice_called(*trace, "on one")] == 2000);
  CHECK(record_text(*trace, "on one") == R"({"name": "on one", "args": {"said at the end": 7}})");
  CHECK(record_text(*trace, "on two") == R"({"name": "on two", "args": {}})");
}

TEST_CASE("perfetto: annotations of an end belong to the slice that it ends, on the track of all events without a track") {
  using namespace perfetto;
  const auto begin = [](std::string_view name) { return proto_number(kType, kBegin) + proto_bytes(kNameText, name); };
  const TempDir folder;
  const std::string path =
      folder.write("no_tracks.pftrace", event_packet(1000, 1, begin("outer")) + event_packet(2000, 2, begin("inner")) +
                                            event_packet(3000, 1, proto_number(kType, kEnd) + annotation_of("said at the end", 7)) +
                                            event_packet(4000, 2, proto_number(kType, kEnd)));
  const auto trace = load_snapshot({path}, test_pool())->trace;
  REQUIRE(trace->slice_count == 2);
  CHECK(trace->slices.duration[slice_called(*trace, "inner")] == 1000);
  CHECK(record_text(*trace, "inner") == R"({"name": "inner", "args": {"said at the end": 7}})");
  CHECK(record_text(*trace, "outer") == R"({"name": "outer", "args": {}})");
}

TEST_CASE("perfetto: whether a packet may begin a text is known from its first bytes") {
  const std::string packet = event_packet(1000, 1, "");
  for (std::size_t bytes = 0; bytes <= packet.size(); ++bytes) CHECK(may_begin_packet(packet.substr(0, bytes)));
  CHECK(!may_begin_packet("{\"traceEvents\""));
  CHECK(!may_begin_packet(proto_number(perfetto::kPacket, 5)));
  CHECK(!may_begin_packet("\x0a\xff\xff\xff\xff\x0f"));  // 4 GiB
  CHECK(may_begin_packet("\x0a" + std::string(9, '\xff')));
  CHECK(!may_begin_packet("\x0a" + std::string(10, '\xff')));
}

TEST_CASE("perfetto: the rest of a file after a number that does not end is not read") {
  const TempDir folder;
  for (const char tag : {'\x0a', '\x08'}) {
    const std::string path = folder.write("endless.pftrace", read_file(perfetto_fixture("threads")) + tag + std::string(1 << 16, '\xff'));
    const auto trace = load_snapshot({path}, test_pool())->trace;
    CHECK(trace->slice_count == 5);
    CHECK(trace->sources.front().problems.count(ProblemKind::bad_record) == 1);
    CHECK(trace->sources.front().problems.count(ProblemKind::truncated_record) == 0);
  }
}

TEST_CASE("perfetto: among a thousand lanes, those named late have their names at the end") {
  SourceDraft draft(SourceInfo{});
  PerfettoTracks tracks(draft, LaneSegment{"many.pftrace"});
  StringTable keys;
  for (std::uint64_t uuid = 1; uuid <= 1000; ++uuid) keys.intern(PerfettoTracks::key_of(uuid));
  tracks.name_lanes(keys);
  for (const std::uint64_t uuid : {7u, 900u}) {
    tracks.add_descriptor(proto_number(perfetto::kUuid, uuid) + proto_bytes(perfetto::kTrackName, "late"));
    tracks.name_lanes(StringTable());
  }
  tracks.rename_lanes();
  const LaneSpecs lanes = draft.take().lanes;
  REQUIRE(lanes.size() == 1000);
  CHECK(lanes.at(PerfettoTracks::key_of(7)).path.back().name == "late");
  CHECK(lanes.at(PerfettoTracks::key_of(900)).path.back().name == "late");
  CHECK(lanes.at(PerfettoTracks::key_of(8)).path.back().name == "track 8");
}
