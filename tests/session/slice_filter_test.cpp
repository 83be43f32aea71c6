// Compares filters of slices, values of arguments and statistics by argument with a scan of the records.
#include "core/analysis/filter/slice_filter.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <string>

#include "core/session/load/load_job.h"
#include "core/session/records/arg_values.h"
#include "core/session/records/load_args.h"
#include "core/session/search/ask_statistics.h"
#include "core/session/search/filtered_slices.h"
#include "tests/support/gen_trace.h"
#include "tests/support/temp_dir.h"

using namespace tv;
using namespace tv::test;

namespace {

struct RandomRecord {
  std::string name, category, args;  ///< args: as JSON
  int stream = 0;
  long long begin_us = 0, duration_us = 0;
  double bytes = -1;  ///< negative: not given
  std::string kind;   ///< empty: not given
};

std::vector<RandomRecord> random_records(Random& random) {
  std::vector<RandomRecord> out;
  long long at = 0;
  for (std::int64_t n = random.in(1, 60); n > 0; --n) {
    RandomRecord one;
    one.name = std::vector<std::string>{"gemm_a", "Gemm_b", "copy", "前向"}[static_cast<std::size_t>(random.in(0, 3))];
    one.category = random.chance(0.5) ? "kernel" : "op";
    one.stream = static_cast<int>(random.in(7, 8));
    one.duration_us = random.in(1, 5000);
    one.begin_us = at;
    at += one.duration_us + random.in(0, 10);
    if (random.chance(0.7)) one.bytes = static_cast<double>(random.in(0, 4)) * 1e6;
    if (random.chance(0.7)) one.kind = random.chance(0.5) ? "h2d" : "d2h";
    if (one.bytes >= 0) one.args += "\"bytes\":" + std::to_string(static_cast<long long>(one.bytes));
    if (!one.kind.empty()) one.args += std::string(one.args.empty() ? "" : ",") + "\"kind\":\"" + one.kind + "\"";
    out.push_back(std::move(one));
  }
  return out;
}

std::string as_json(const std::vector<RandomRecord>& records) {
  std::string out = R"([{"ph":"M","name":"thread_name","pid":1,"tid":7,"args":{"name":"stream 7"}},)"
                    R"({"ph":"M","name":"thread_name","pid":1,"tid":8,"args":{"name":"stream 8"}})";
  for (const RandomRecord& one : records) {
    out += ",\n{\"ph\":\"X\",\"name\":\"" + one.name + "\",\"cat\":\"" + one.category + "\",\"pid\":1,\"tid\":" +
           std::to_string(one.stream) + ",\"ts\":" + std::to_string(one.begin_us) +
           ",\"dur\":" + std::to_string(one.duration_us) + ",\"args\":{" + one.args + "}}";
  }
  return out + "]\n";
}

struct Comparison {
  std::string text;
  bool (*holds)(const RandomRecord&);
};
const std::vector<Comparison>& comparisons() {
  static const std::vector<Comparison> all = {
      {"dur > 2ms", [](const RandomRecord& r) { return r.duration_us > 2000; }},
      {"dur<=300us", [](const RandomRecord& r) { return r.duration_us <= 300; }},
      {"name ~ \"gemm\"", [](const RandomRecord& r) { return r.name == "gemm_a" || r.name == "Gemm_b"; }},
      {"name =~ \"g*_b\"", [](const RandomRecord& r) { return r.name == "Gemm_b"; }},
      {"name == \"前向\"", [](const RandomRecord& r) { return r.name == "前向"; }},
      {"category != op", [](const RandomRecord& r) { return r.category != "op"; }},
      {"stream == 7", [](const RandomRecord& r) { return r.stream == 7; }},
      {"worker != 3", [](const RandomRecord&) { return false; }},  // no lane has a worker
      {"begin >= 10ms", [](const RandomRecord& r) { return r.begin_us >= 10'000; }},
      {"arg.bytes >= 1e6", [](const RandomRecord& r) { return r.bytes >= 1e6; }},
      {"arg.\"bytes\" != 0", [](const RandomRecord& r) { return r.bytes > 0; }},
      {"arg.kind == \"h2d\"", [](const RandomRecord& r) { return r.kind == "h2d"; }},
      {"arg.kind != h2d", [](const RandomRecord& r) { return r.kind == "d2h"; }},
  };
  return all;
}

// A random expression, and for which records it holds.
std::pair<std::string, std::vector<bool>> random_expression(Random& random, const std::vector<RandomRecord>& records,
                                                            int depth) {
  const std::int64_t what = depth > 2 ? 0 : random.in(0, 4);
  if (what <= 1) {
    const Comparison& one = comparisons()[static_cast<std::size_t>(random.in(0, static_cast<std::int64_t>(comparisons().size()) - 1))];
    std::vector<bool> holds;
    for (const RandomRecord& r : records) holds.push_back(one.holds(r));
    return {one.text, holds};
  }
  auto a = random_expression(random, records, depth + 1);
  if (what == 2) {
    a.second.flip();
    return {"!(" + a.first + ")", a.second};
  }
  const auto b = random_expression(random, records, depth + 1);
  for (std::size_t i = 0; i < records.size(); ++i) {
    a.second[i] = what == 3 ? a.second[i] && b.second[i] : a.second[i] || b.second[i];
  }
  return {"(" + a.first + (what == 3 ? " && " : " || ") + b.first + ")", a.second};
}

std::string complaint_of(std::string_view text) {
  const auto filter = parse_slice_filter(text);
  return filter ? std::string() : filter.error().text();
}

}  // namespace

TEST_CASE("slice_filter: an expression selects the same slices as a scan of the records, args included") {
  const TempDir folder;
  for (const std::uint64_t seed : seeds(8)) {
    CAPTURE(seed);
    Random random(seed);
    const std::vector<RandomRecord> records = random_records(random);
    const auto path = folder.write("t" + std::to_string(seed) + ".json", as_json(records));
    const auto trace = load_snapshot({path}, test_pool())->trace;
    REQUIRE(trace->slices.size() == records.size());
    std::map<Ns, std::size_t> record_at;  // begins are unique
    for (std::size_t r = 0; r < records.size(); ++r) record_at[records[r].begin_us * 1000] = r;
    for (int i = 0; i < 12; ++i) {
      const auto expression = random_expression(random, records, 0);
      CAPTURE(expression.first);
      const FilteredSlices found = filter_slices(*trace, expression.first, {}, test_pool());
      REQUIRE(found.complaint.empty());
      REQUIRE(found.mask);
      for (std::size_t s = 0; s < trace->slices.size(); ++s) {
        const std::size_t r = record_at.at(trace->slices.begin[s]);
        REQUIRE((*found.mask)[s] == expression.second[r]);
      }
      REQUIRE(static_cast<std::size_t>(std::ranges::count(expression.second, true)) == found.slices.size());
      REQUIRE(std::ranges::is_sorted(found.slices));
    }
  }
}

TEST_CASE("slice_filter: statistics by an argument equal those computed from the records") {
  const TempDir folder;
  for (const std::uint64_t seed : seeds(6)) {
    CAPTURE(seed);
    Random random(seed);
    const std::vector<RandomRecord> records = random_records(random);
    const auto snapshot = load_snapshot({folder.write("t.json", as_json(records))}, test_pool());
    StatisticsQuestion asked;
    asked.by = *parse_grouping("arg:kind");
    asked.where = "dur > 1ms";
    const Statistics made = ask_statistics(*snapshot, asked, test_pool());
    std::map<std::string, std::pair<std::uint64_t, Ns>> expected;
    std::size_t without = 0;
    for (const RandomRecord& r : records) {
      if (r.duration_us <= 1000) continue;
      if (r.kind.empty()) ++without;
      if (r.kind.empty()) continue;
      ++expected[r.kind].first;
      expected[r.kind].second += r.duration_us * 1000;
    }
    REQUIRE(made.stats.labels.size() == expected.size());
    for (const LabelStats& row : made.stats.labels) {
      const auto& of = expected.at(made.groups->names[row.group]);
      CHECK(row.count == of.first);
      CHECK(row.total == of.second);
      CHECK(row.busy == of.second);  // they do not overlap
    }
    CHECK((made.limits.find("without \"kind\"") != std::string::npos) == (without > 0));
  }
}

TEST_CASE("slice_filter: overlapping slices of a packed lane are outermost, whichever slot they are in") {
  TraceSketch sketch;
  sketch.lane("requests", RowRule::Pack);
  for (const Ns begin : {0, 10, 20}) sketch.slice("requests", begin, 100);
  const auto trace = sketch.build();
  REQUIRE(trace->rows.size() == 3);
  CHECK(filter_slices(*trace, "depth == 0", {}, test_pool()).slices.size() == 3);
  CHECK(filter_slices(*trace, "depth > 0", {}, test_pool()).slices.empty());
}

TEST_CASE("slice_filter: the owner of a lane decides, whatever names say") {
  const TempDir folder;
  const auto found = [](const Trace& of, std::string_view filter) { return filter_slices(of, filter, {}, test_pool()).slices.size(); };
  const auto trace = load_snapshot({folder.write("worker_2.json", R"({"distributedInfo":{"rank":3},"traceEvents":[
    {"ph":"M","name":"process_name","pid":4711,"args":{"name":"python"}},
    {"ph":"M","name":"thread_name","pid":4711,"tid":12,"args":{"name":"rank 5, thread 99, pid 7"}},
    {"ph":"X","name":"a","pid":4711,"tid":12,"ts":0,"dur":1}]})")}, test_pool())->trace;
  for (const char* const filter : {"rank == 3", "thread == 12", "tid == 12", "pid == 4711"})
    CHECK_MESSAGE(found(*trace, filter) == 1, filter);
  for (const char* const filter : {"rank == 5", "thread == 99", "pid == 7", "gpu >= 0"})
    CHECK_MESSAGE(found(*trace, filter) == 0, filter);

  TraceSketch sketch;
  LaneSpec spec;
  spec.path = {{"rank 5", 0, {}, owned_by_rank(3)},
               {"python", 0, {}, {.pid = 4711}},
               {"GPU 1 (cuda 0)", 0, {}, {.device = "GPU 1"}},
               {"stream 9", 0, {}, {.rank = 8, .worker = 2, .stream = 7}},
               {"kernels of stream 4", 0, {}, {.member = "none"}}};
  const auto made = sketch.lane("t", spec).slice("t", 0, 10).build();
  for (const char* const filter : {"rank == 3", "pid == 4711", "process == 4711", "gpu == 1", "stream == 7", "worker == 2"})
    CHECK_MESSAGE(found(*made, filter) == 1, filter);
  for (const char* const filter : {"rank == 5", "rank == 8", "gpu == 0", "stream == 9", "stream == 4", "thread >= 0"})
    CHECK_MESSAGE(found(*made, filter) == 0, filter);
}

TEST_CASE("slice_filter: a file's worker and its process ids are known to the filter") {
  const TempDir folder;
  const std::string text = R"([{"ph":"M","name":"process_name","pid":4711,"args":{"name":"python"}},
    {"ph":"X","name":"a","pid":4711,"tid":12,"ts":0,"dur":1}])";
  const auto trace = load_snapshot({folder.write("worker_2.json", text)}, test_pool())->trace;
  for (const char* const filter : {"worker == 2", "pid == 4711", "process == 4711", "thread == 12"})
    CHECK_MESSAGE(filter_slices(*trace, filter, {}, test_pool()).slices.size() == 1, filter);
}

TEST_CASE("slice_filter: args are read in full and by path, and a limit is put into words") {
  const TempDir folder;
  const auto snapshot = load_snapshot(
      {folder.write("t.json", R"([{"ph":"X","name":"a","pid":1,"tid":1,"ts":0,"dur":1,"args":{"Input Dims":[[2,3],[]],"x":{"y":"z"}}},)"
                              R"({"ph":"X","name":"b","pid":1,"tid":1,"ts":5,"dur":1,"args":{"x":{"y":7}}},)"
                              R"({"ph":"X","name":"c","pid":1,"tid":1,"ts":9,"dur":1}])")},
      test_pool());
  const std::vector<SliceId> all = counted_slices(*snapshot->trace, {});
  REQUIRE(all.size() == 3);
  const ArgColumns args = read_args(*snapshot->trace, {"Input Dims", "x.y", "no"}, all, test_pool());
  CHECK(args.limits().empty());
  CHECK(args.values[0].texts == std::vector<std::string>{"[[2,3],[]]"});
  CHECK(args.values[1].texts == std::vector<std::string>{"z", "7"});
  CHECK(args.values[2].slices.empty());
  const ArgColumns few = read_args(*snapshot->trace, {"x.y"}, all, test_pool(), {}, 1);
  CHECK(few.values[0].texts == std::vector<std::string>{"z"});  // the first in time
  CHECK(few.limits() == "; args were read only for the first 1 of 3 slices; choose a smaller area to read all");
  std::stop_source stop;
  stop.request_stop();
  CHECK(read_args(*snapshot->trace, {"x.y"}, all, test_pool(), stop.get_token()).cancelled);
}

TEST_CASE("slice_filter: a record that cannot be decoded counts as failed, not as one without the argument") {
  const TempDir folder;
  const std::string deep = std::string(5000, '[') + std::string(5000, ']');
  const std::string first = R"([{"ph":"X","name":"a","pid":1,"tid":1,"ts":0,"dur":1,"args":{"x":7}},)";
  const std::string second = R"({"ph":"X","name":"b","pid":1,"tid":1,"ts":5,"dur":1,"args":{"x":)" + deep + "}}]";
  const auto snapshot = load_snapshot({folder.write("t.json", first + second)}, test_pool());
  const std::vector<SliceId> all = counted_slices(*snapshot->trace, {});
  REQUIRE(all.size() == 2);
  const ArgColumns args = read_args(*snapshot->trace, {"x"}, all, test_pool());
  CHECK(args.values[0].texts == std::vector<std::string>{"7"});
  CHECK(args.failed == 1);
  const auto shown = load_args(snapshot->trace->sources[0], snapshot->trace->ref_of(all[1]));
  REQUIRE(!shown.ok());
  CHECK(args.problems == std::vector<std::string>{shown.error().text()});
  CHECK(shown.error().byte_offset == first.size());
  StatisticsQuestion asked;
  asked.by = *parse_grouping("arg:x");
  const Statistics made = ask_statistics(*snapshot, asked, test_pool());
  CHECK(made.failed == 1);
  CHECK(made.limits == args.limits());  // and not "1 slice without"
}

TEST_CASE("slice_filter: errors name the place, what was expected, and a suggestion") {
  CHECK(complaint_of("naem ~ x").starts_with("at character 1, \"naem ~ x\": expected a column; did you mean \"name\"?"));
  CHECK(complaint_of("dur > x").find("expected a time such as 2.5s or 300ms") != std::string::npos);
  CHECK(complaint_of("dur ~ 3").find("expected < <= > >= == or !=") != std::string::npos);
  CHECK(complaint_of("name > 3").find("expected == != or ~") != std::string::npos);
  CHECK(complaint_of("(dur > 1s").find("expected &&, || or )") != std::string::npos);
  CHECK(complaint_of("dur > 1s stream == 7").find("expected &&, || or the end") != std::string::npos);
  CHECK(complaint_of("arg. > 3").find("expected") != std::string::npos);
  CHECK(complaint_of("  ").empty());
}

TEST_CASE("slice_filter: without args, only slices that depend on them stay unknown") {
  TraceSketch sketch;
  sketch.lane("t", RowRule::Nest);
  sketch.slice("t", 0, 10, "a").slice("t", 20, 30, "b");
  const auto trace = sketch.build();
  const auto filter = parse_slice_filter("name == a && arg.x > 3");
  REQUIRE(filter);
  const std::vector<Tri> open = evaluate(*trace, filter.value(), {}, false);
  CHECK(open == std::vector<Tri>{Tri::Unknown, Tri::No});
  CHECK(args_of(filter.value()) == std::vector<std::string>{"x"});
}

TEST_CASE("slice_filter: parse_grouping accepts known groupings and refuses others") {
  CHECK(parse_grouping("") == Grouping{});
  CHECK(parse_grouping("rank") == Grouping{GroupBy::Process, {}});
  CHECK(parse_grouping("arg:Collective name") == Grouping{GroupBy::Arg, "Collective name"});
  CHECK(!parse_grouping("arg:"));
  CHECK(!parse_grouping("nmae"));
  CHECK(text_of(Grouping{GroupBy::Arg, "x"}) == "arg:x");
}
