#include "core/export/formats/export_chrome.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "core/export/parts/record_args.h"
#include "core/export/parts/strict_json.h"
#include "core/query/lane_filter.h"
#include "core/read/registry.h"
#include "core/session/records/source_records.h"
#include "core/store/segments/one_segment.h"
#include "tests/export/exported.h"
#include "tests/io/archives.h"
#include "tests/read/fixture_cases.h"
#include "tests/session/trace_files.h"
#include "tests/support/gen_segments.h"

using namespace tv;
using namespace tv::test;
using nlohmann::json;

namespace {

// An export holds what rows say themselves (RecordTable::be_brief).
Result<ArgTree> record_of(const SourceInfo& source, ItemRef ref) {
  const Reader* const reader = find_reader(source.format);
  if (!reader->open_table) return load_args(source, ref);
  auto records = SourceRecords::open(*reader, source, SourceRecords::Many::Yes);
  if (!records) return records.error();
  return SourceRecords::Use(*records).at(ref.offset());
}

// The args of a slice's record in one spelling: a slice has the same index in an equal trace.
std::string args_in_one_spelling(const Trace& trace, std::size_t slice) {
  const ItemRef ref = trace.slices.ref[slice];
  const SourceInfo& source = trace.sources[idx(ref.source())];
  const auto record = record_of(source, ref);
  if (!record) return "unreadable";
  const bool event = source.format == "chrome_json" || source.format == "perfetto";
  const ArgNode* const args = event ? record.value().find("args") : &record.value().nodes.front();
  if (!args || args->value == "null") return "none";
  std::string text;
  append_json(text, record.value(), static_cast<std::size_t>(args - record.value().nodes.data()));
  return text;
}

std::vector<std::string> all_args(const Trace& trace) {
  std::vector<std::string> args;
  for (std::size_t i = 0; i < trace.slices.size(); ++i) args.push_back(args_in_one_spelling(trace, i));
  return args;
}

}  // namespace

TEST_CASE("chrome export: an export read back equals the original trace, including args, for every fixture") {
  int compared = 0;
  for (const FixtureCase& fixture : fixture_cases()) {
    CAPTURE(fixture.path);
    const auto trace = load_snapshot(fixture.files, test_pool())->trace;
    const TempDir folder;
    const Exported out = exported(*trace);
    CHECK(strict_json_length(out.text) + 1 >= (fixture.stem() == "deep_nesting" ? 0 : out.text.size()));
    const auto again = read_again(folder, out.text);
    CHECK(dump_of(*again) == dump_of(*trace));
    CHECK(lanes_of(*again) == lanes_of(*trace));
    CHECK(all_args(*again) == all_args(*trace));
    CHECK(again->lost() == 0);
    CHECK(out.totals.without_args == 0);
    CHECK(out.totals.slices == trace->slice_count);
    CHECK(out.totals.instants == trace->instant_count);
    CHECK(out.totals.flows == trace->flows.size());
    compared += trace->slices.size() > 0;
  }
  CHECK(compared > 60);
}

TEST_CASE("chrome export: generated traces of every shape survive a round trip, and threads nest strictly") {
  for (const std::uint64_t seed : seeds(90)) {
    CAPTURE(seed);
    CAPTURE(name(shape_of(seed)));
    const auto trace = gen_trace(seed, shape_of(seed)).build();
    const TempDir folder;
    const Exported out = exported(*trace);
    CHECK(out.totals.without_args == trace->slices.size());  // there is no file behind them
    CHECK(out.totals.problems.size() == 1);
    // Lanes of slices by pid and tid, as another program sees them.
    std::map<std::pair<std::int64_t, std::int64_t>, std::vector<std::pair<std::int64_t, std::int64_t>>> threads;
    const auto nanoseconds = [](const json& microseconds) { return std::llround(microseconds.get<double>() * 1e3); };
    const json file = json::parse(out.text);
    for (const json& event : file["traceEvents"]) {
      if (event["ph"] != "X") continue;
      threads[{event["pid"], event["tid"]}].push_back({nanoseconds(event["ts"]), -nanoseconds(event["dur"])});
    }
    for (auto& [tid, slices] : threads) {
      const auto& shown_tid = tid.second;  // clang 14: no binding in CAPTURE's lambda
      CAPTURE(shown_tid);
      std::ranges::sort(slices);
      std::vector<std::int64_t> open;
      bool nests = true;
      for (const auto& [begin, minus_duration] : slices) {
        while (!open.empty() && open.back() <= begin) open.pop_back();
        nests &= open.empty() || open.back() >= begin - minus_duration;
        open.push_back(begin - minus_duration);
      }
      CHECK(nests);
    }
    const auto again = read_again(folder, out.text);
    CHECK(again->slice_count == trace->slice_count);
    CHECK(dump_of(*again) == dump_of(*trace));
    CHECK(lanes_of(*again) == lanes_of(*trace));
  }
}

TEST_CASE("chrome export: process, thread and stream ids of the source are kept if they tell lanes apart") {
  const TempDir folder;
  const std::string path = folder.write("a.json", R"json({"traceEvents":[
    {"ph":"M","name":"process_name","pid":1375,"args":{"name":"python"}},
    {"ph":"M","name":"process_labels","pid":0,"args":{"labels":"GPU 0"}},
    {"ph":"M","name":"thread_name","pid":0,"tid":7,"args":{"name":"stream 7 "}},
    {"ph":"M","name":"thread_name","pid":1375,"tid":1375,"args":{"name":"thread 1375 (main)"}},
    {"ph":"M","name":"thread_name","pid":1375,"tid":1390,"args":{"name":"loader"}},
    {"ph":"X","cat":"cpu_op","name":"load","pid":1375,"tid":1390,"ts":1,"dur":4},
    {"ph":"M","name":"thread_name","pid":1375,"tid":1391,"args":{"name":"worker thread 12"}},
    {"ph":"X","cat":"cpu_op","name":"renamed","pid":1375,"tid":1391,"ts":1,"dur":4},
    {"ph":"M","name":"process_name","pid":1400,"args":{"name":"shard 1400 of 8"}},
    {"ph":"X","cat":"cpu_op","name":"shard","pid":1400,"tid":1401,"ts":1,"dur":4},
    {"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":5,"dur":2},
    {"ph":"X","cat":"kernel","name":"k13","pid":0,"tid":13,"ts":5,"dur":2},
    {"ph":"X","cat":"kernel","name":"k on 1","pid":1,"tid":7,"ts":5,"dur":2},
    {"ph":"X","cat":"gpu_user_annotation","name":"a","pid":0,"tid":7,"ts":5,"dur":2},
    {"ph":"X","cat":"cpu_op","name":"o","pid":1375,"tid":1375,"ts":1,"dur":4},
    {"ph":"X","cat":"cpu_op","name":"beside it","pid":1375,"tid":1375,"ts":3,"dur":4}]})json");
  const auto trace = load_snapshot({path}, test_pool())->trace;
  std::map<std::string, std::string> places;
  std::set<std::string> all;
  const json file = json::parse(exported(*trace).text);
  for (const json& event : file["traceEvents"]) {
    if (event["ph"] != "X") continue;
    const std::string place = event["pid"].dump() + "/" + event["tid"].dump();
    places[event["name"]] = place;
    CHECK(all.insert(place).second);
  }
  CHECK(places["k"] == "0/7");
  CHECK(places["k13"] == "0/13");
  CHECK(places["k on 1"] == "1/7");
  CHECK(places["o"] == "1375/1375");
  CHECK(places["load"] == "1375/1390");
  CHECK(places["shard"] == "1400/1401");  // not 8, the last number in its name
  const json again = json::parse(exported(*read_again(folder, file.dump())).text);
  for (const json& event : again["traceEvents"]) {
    if (event["name"] == "load") CHECK(event["tid"] == 1390);
    if (event["name"] == "renamed") CHECK(event["tid"] == 1391);
  }
  CHECK(places["a"].starts_with("0/"));
  CHECK(places["beside it"].starts_with("1375/"));
}

TEST_CASE("chrome export: other members of files are kept, but left out and named if the files disagree") {
  const TempDir folder;
  const auto file = [&](const std::string& name, int rank) {
    return folder.write(name, R"({"schemaVersion": 1, "deviceProperties": [{"id": 0, "name": "H100"}], "with_stack": 1,
      "distributedInfo": {"backend": "nccl", "rank": )" + std::to_string(rank) + R"(, "pg_config": [{"ranks": [0, 1]}]},
      "displayTimeUnit": "ms", "baseTimeNanoseconds": 1000000, "traceEvents": [
      {"ph": "X", "name": "a]", "pid": 1, "tid": 1, "ts": 5, "dur": 2, "args": {"x": [1]}}],
      "INFO": ["one", "two"], "cuda_version": 12.4, "traceName": "/tmp/)" + name + "\"}\n");
  };
  const std::string one = file("one.json", 0), two = file("two.json", 1);
  const auto alone = load_snapshot({one}, test_pool())->trace;
  const Exported out = exported(*alone);
  const json whole = json::parse(out.text);
  CHECK(whole["schemaVersion"] == 1);
  CHECK(whole["deviceProperties"][0]["name"] == "H100");
  CHECK(whole["with_stack"] == 1);
  CHECK(whole["distributedInfo"]["pg_config"][0]["ranks"] == json({0, 1}));
  CHECK(whole["INFO"] == json({"one", "two"}));
  CHECK(whole["cuda_version"] == 12.4);
  CHECK(whole["traceName"] == "/tmp/one.json");
  CHECK(out.totals.left_out.empty());
  const auto again = read_again(folder, out.text);
  CHECK(again->sources.front().rank == 0);
  CHECK(dump_of(*again) == dump_of(*alone));

  const auto both = load_snapshot({one, two}, test_pool())->trace;
  const Exported merged = exported(*both);
  const json of_both = json::parse(merged.text);
  CHECK(of_both["deviceProperties"][0]["name"] == "H100");
  CHECK(!of_both.contains("traceName"));
  CHECK(!of_both.contains("distributedInfo"));
  CHECK(merged.totals.left_out == std::vector<std::string>{"distributedInfo, which differs among 2 files",
                                                           "traceName, which differs among 2 files"});
}

TEST_CASE("chrome export: every file that cannot be read again is named, even if the name of another begins with its name") {
  const TempDir folder;
  const std::string samples = folder.write("a.json", R"([{"ph":"C","name":"memory","pid":1,"ts":1,"args":{"x":1}}])");
  const std::string slices = folder.write("a.json.gz", R"([{"ph":"X","name":"k","pid":1,"tid":1,"ts":1,"dur":1}])");
  const auto trace = load_snapshot({samples, slices}, test_pool())->trace;
  REQUIRE(trace->sample_count == 1);
  REQUIRE(trace->slice_count == 1);
  for (const std::string& path : {samples, slices}) std::filesystem::remove(path);
  const std::vector<std::string> problems = exported(*trace).totals.problems;
  REQUIRE(problems.size() == 2);
  for (const std::string& path : {samples, slices}) {
    CHECK(std::ranges::count_if(problems, [&](const std::string& text) { return text.starts_with(path + ": "); }) == 1);
  }
}

TEST_CASE("chrome export: members after the events are kept, however the file is indented") {
  const TempDir folder;
  const std::string event = R"({"ph": "X", "name": "a", "pid": 1, "tid": 1, "ts": 5, "dur": 2})";
  for (const char* const before : {"", " ", "\n", "\n  ", "\r\n\t"}) {
    CAPTURE(std::string(before));
    const std::string path = folder.write("a.json", "{\"traceEvents\": [" + std::string(before) + event + before + "]" + before +
                                                        ",\"traceName\": \"a\"" + before + "}" + before);
    const Exported out = exported(*load_snapshot({path}, test_pool())->trace);
    CHECK(json::parse(out.text).value("traceName", "none") == "a");
  }
}

// The last bytes of a compressed file are found by reading all of it, in pieces of 4 MiB.
TEST_CASE("chrome export: members after the events of a compressed file are kept, whatever its length is") {
  const TempDir folder;
  const std::string event = R"({"ph": "X", "name": "a", "pid": 1, "tid": 1, "ts": 5, "dur": 2})";
  const std::string last = R"(],"deviceProperties":[{"id": 0, "name": ")" + std::string(200, 'H') + R"("}],"traceName": "a"})";
  for (const int beyond : {-1, 0, 1, 50, 100, 300, 300 << 10}) {
    CAPTURE(beyond);
    std::string text = R"({"traceEvents": [)" + event;
    text += std::string(static_cast<std::size_t>((4 << 20) + beyond) - text.size() - last.size(), ' ') + last;
    const Exported out = exported(*load_snapshot({folder.write("a.json.gz", gzipped(text))}, test_pool())->trace);
    const json whole = json::parse(out.text);
    CHECK(whole.value("traceName", "none") == "a");
    CHECK(whole.contains("deviceProperties"));
    CHECK(out.totals.left_out.empty());
  }
}

TEST_CASE("chrome export: a part of a file around its events that cannot be read is named, and the other part is kept") {
  const TempDir folder;
  const std::string event = R"({"ph": "X", "name": "a", "pid": 1, "tid": 1, "ts": 5, "dur": 2})", path = folder.path("a.json");
  const auto left_out = [&](const std::string& before, const std::string& behind) {
    const std::string events = R"("traceEvents": [)" + event + "],";
    const std::string front = R"({"schemaVersion": 1, "deviceProperties": [], )";
    folder.write("a.json", front + before + events + behind + R"("traceName": "a"})");
    const Exported out = exported(*load_snapshot({path}, test_pool())->trace);
    const json whole = json::parse(out.text);
    CHECK(whole.value("schemaVersion", 0) == 1);
    CHECK(whole.contains("traceName") == behind.empty());
    return out.totals.left_out;
  };
  const auto said = [&](const std::string& where, const std::string& most) {
    return std::vector{"members of " + path + " " + where + " its events: they take more than " + most +
                       ", or are not JSON that every parser accepts"};
  };
  const std::string large = R"("large": ")" + std::string(5 << 20, 'x') + R"(",)";
  CHECK(left_out("", "").empty());
  CHECK(left_out(large, "") == said("before", "4096 KiB"));
  CHECK(left_out(R"("odd": NaN,)", "") == said("before", "4096 KiB"));
  CHECK(left_out("", large) == said("after", "256 KiB"));
  CHECK(left_out("", R"("odd": NaN,)") == said("after", "256 KiB"));
  // A file of bare events, or one cut off among its events, has no other members.
  for (const std::string& text : {event + "\n" + event, R"({"traceEvents": [)" + event}) {
    CAPTURE(text);
    CHECK(exported(*load_snapshot({folder.write("b.json", text)}, test_pool())->trace).totals.left_out.empty());
  }
}

TEST_CASE("chrome export: of the samples before a range, only the one in effect at its start is kept") {
  TraceSketch sketch;
  LaneSpec spec;
  spec.kind = LaneKind::Counter;
  spec.path = {{"memory"}};
  sketch.lane("c", spec).sample("c", 10, 1).sample("c", 160, 2).sample("c", 400, 3).slice("t", 0, 500);
  const auto trace = sketch.build();
  const auto values = [&](TimeRange range) {
    ExportChoice choice;
    choice.range = range;
    const SamplePart part = chosen_samples(trace->counters[0], choice);
    const auto begin = trace->counters[0].value.begin();
    return std::vector<double>(begin + static_cast<std::ptrdiff_t>(part.first), begin + static_cast<std::ptrdiff_t>(part.last));
  };
  CHECK(values({150, 200}) == std::vector<double>{1, 2});
  CHECK(values({20, 30}) == std::vector<double>{1});
  CHECK(values({10, 30}) == std::vector<double>{1});
  CHECK(values({0, 10}).empty());
  CHECK(values({450, 500}) == std::vector<double>{3});
}

TEST_CASE("chrome export: slices that overlap a range are kept whole, and lanes are chosen by their paths") {
  TraceSketch sketch;
  LaneSpec spec;
  spec.path = {{"rank 0"}, {"thread 1"}};
  sketch.lane("a", spec);
  spec.path = {{"rank 0"}, {"thread 2"}};
  sketch.lane("b", spec);
  spec.path = {{"rank 1"}, {"memory"}};
  spec.kind = LaneKind::Counter;
  sketch.lane("c", spec);
  sketch.slice("a", 0, 100, "before").slice("a", 100, 100, "touching").slice("a", 300, 10, "after");
  sketch.slice("b", 150, 10, "inside").instant("b", 200, "at its end").instant("b", 150, "mark");
  sketch.sample("c", 0, 1).sample("c", 90, 2).sample("c", 160, 3).sample("c", 400, 4);
  const auto trace = sketch.build();

  ExportChoice choice;
  choice.range = TimeRange{150, 200};
  const TempDir folder;
  Exported out = exported(*trace, choice);
  CHECK(out.totals.slices == 2);
  CHECK(out.totals.instants == 1);
  CHECK(out.totals.samples == 2);
  auto again = read_again(folder, out.text);
  std::string names;
  for (std::size_t i = 0; i < again->slices.size(); ++i)
    names += std::string(again->labels.name(again->slices.label[i])) + " ";
  CHECK(names == "touching inside mark ");
  CHECK(again->slices.duration[0] == 100);
  CHECK(again->origin_ns == 90);  // the sample in effect when the range begins
  CHECK(std::ranges::equal(again->counters[0].value, std::vector<double>{2, 3}));

  choice = {};
  const auto chosen = chosen_lanes(*trace, "RANK 0 / thread [2-9]");
  REQUIRE(chosen.ok());
  choice.lanes = chosen.value().lanes;
  out = exported(*trace, choice);
  CHECK(out.totals.slices == 1);
  CHECK(out.totals.samples == 0);
  CHECK(lanes_of(*read_again(folder, out.text)) == std::vector<std::string>{"0 rank 0 group", "1 thread 2 thread"});

  choice.lanes.assign(trace->lanes.size(), false);
  CHECK(json::parse(exported(*trace, choice).text)["traceEvents"].empty());
}

TEST_CASE("chrome export: records that are not valid JSON are decoded, and unreadable ones are reported") {
  const TempDir folder;
  const std::string path = folder.write("trace.json", R"([
{"ph":"X","name":"bare words","ts":1,"dur":1,"args":{"a":N/A,"b":nan,"c":[1,{"d":007}]}},
{"ph":"X","name":"surrogates \ud83d\ude00","ts":2,"dur":1,"cname":"good","args":{"smile":"\ud83d\ude00","id":18446744073709551615}},
{"ph":"X","name":"bytes","ts":3,"dur":1,"args":{"x":")"
                                                      "\xff"
                                                      R"("}}
])");
  const auto trace = load_snapshot({path}, test_pool())->trace;
  Exported out = exported(*trace);
  const json file = json::parse(out.text);
  std::map<std::string, json> events;
  for (const json& event : file["traceEvents"]) {
    if (event["ph"] == "X") events[event["name"]] = event;
  }
  CHECK(events["bare words"]["args"]["c"].size() == 2);
  CHECK(events["surrogates \xF0\x9F\x98\x80"]["args"]["smile"] == "\xF0\x9F\x98\x80");
  CHECK(events["surrogates \xF0\x9F\x98\x80"]["args"]["id"] == 18446744073709551615ULL);
  CHECK(events["bytes"]["args"]["x"] == "\xEF\xBF\xBD");
  CHECK(out.totals.without_args == 0);
  CHECK(out.text.find("\\ud83d") == std::string::npos);  // Perfetto stops at it

  const std::size_t before = json::parse(out.text)["traceEvents"].size();
  folder.append("trace.json", "\n");
  out = exported(*trace);
  CHECK(out.totals.without_args == 3);
  CHECK(out.totals.slices == 3);
  REQUIRE(out.totals.problems.size() == 1);
  CHECK(out.totals.problems[0].find("has changed") != std::string::npos);
  CHECK(json::parse(out.text)["traceEvents"].size() == before);
}

TEST_CASE("chrome export: a large file survives a round trip, and a range of it exports only its own slice") {
  const TempDir folder;
  std::size_t events = 0;
  std::string text = long_trace(6 << 20, &events);
  const std::string huge = R"({"ph":"X","name":"huge","pid":1,"tid":7,"ts":7,"dur":1,"args":{"text":")" +
                           std::string(3'000'000, 'x') + R"("}})";
  text.insert(1, huge + ",");
  const auto trace = load_snapshot({folder.write("trace.json", text)}, test_pool())->trace;
  const Exported out = exported(*trace);
  CHECK(out.totals.slices == events + 1);
  CHECK(out.totals.without_args == 0);
  CHECK(dump_of(*read_again(folder, out.text)) == dump_of(*trace));
  CHECK(out.text.find(std::string(3'000'000, 'x')) != std::string::npos);

  ExportChoice choice;
  choice.range = TimeRange{trace->extent.end - 10'000, trace->extent.end};
  const Exported tail = exported(*trace, choice);
  CHECK(tail.totals.slices == 1);
  CHECK(tail.totals.without_args == 0);
}

TEST_CASE("chrome export: an error of the sink ends the export") {
  const auto trace = gen_trace(1, Shape::Nested).build();
  int calls = 0;
  const auto totals = export_chrome(*trace, {}, test_pool(), [&](std::string_view) -> Result<void> {
    ++calls;
    return Error{"no room", {}, {}, {}};
  });
  REQUIRE(!totals.ok());
  CHECK(totals.error().message == "no room");
  CHECK(calls == 1);
}

TEST_CASE("chrome export: an arrow to a slice whose child begins with it still ends at that slice") {
  TraceSketch sketch;
  sketch.lane("a", RowRule::Nest).lane("b", RowRule::Nest);
  sketch.slice("a", 10, 5, "from").slice("b", 20, 50, "outer").slice("b", 20, 10, "child").slice("b", 30, 10, "child");
  sketch.flow("a", FlowPoint::Kind::Start, 10, "f").flow("b", FlowPoint::Kind::End, 60, "f");
  const auto trace = sketch.build();
  REQUIRE(trace->flows.size() == 1);
  const TempDir folder;
  const Exported out = exported(*trace);
  CHECK(out.totals.flows_moved == 0);
  CHECK(dump_of(*read_again(folder, out.text)) == dump_of(*trace));
}

TEST_CASE("chrome export: lanes shared by several segments are written like lanes of a single segment") {
  const TempDir folder;
  const auto lines_of = [&](const Trace& trace) {
    std::vector<std::string> lines = dump_of(*read_again(folder, exported(trace).text));
    std::ranges::sort(lines);
    return lines;
  };
  std::size_t shared = 0;
  for (const std::uint64_t seed : seeds(30)) {
    CAPTURE(seed);
    Segments segments;
    for (std::size_t n = 0; n < 3; ++n) {
      TraceSketch sketch = gen_trace(seed * 8 + n, shape_of(seed));
      if (n == 0) sketch.instant("thread", 7, "mark");  // in the last row, but numbered before the slices of others
      segments.push_back(built({sketch.view()}));
    }
    const auto view = compose(segments).value();
    REQUIRE(view->parts.size() == 3);
    for (const Lane& lane : view->lanes) {
      const auto rows = view->rows_of(lane);
      shared += std::ranges::any_of(rows, [&](const Row& row) { return row.first > rows.back().first; });
    }
    CHECK(lines_of(*view) == lines_of(*as_one_segment(*view, test_pool()).value()));
  }
  CHECK(shared > 0);
}
