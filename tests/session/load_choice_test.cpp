// Loading a part: ranks, a time window, and what happens when memory is short.
#include "core/store/draft/load_choice.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <atomic>
#include <map>
#include <set>
#include <tuple>

#include "core/base/memory/memory.h"
#include "core/session/load/load_job.h"
#include "core/session/packed/packed_trace.h"
#include "core/session/workspace/session.h"
#include "tests/read/fixture_cases.h"
#include "tests/session/trace_files.h"
#include "tests/support/gen_pipeline.h"
#include "tests/support/gen_trace.h"
#include "tests/support/rollout_log_line.h"
#include "tests/support/temp_dir.h"

using namespace tv;
using namespace tv::test;

namespace {

std::shared_ptr<const Trace> load(const std::vector<std::string>& paths, const LoadChoice& choice) {
  LoadOptions options;
  options.choice = choice;
  options.chunk_bytes = 512;
  return load_snapshot(paths, test_pool(), options)->trace;
}

// Identifies a slice wherever it is placed: begin since the epoch, duration, name and record.
using Fact = std::tuple<Ns, Ns, std::string, std::uint64_t>;

std::multiset<Fact> facts_of(const Trace& trace, TimeRange touching = {INT64_MIN, INT64_MAX}) {
  std::multiset<Fact> facts;
  for (const SliceId slice : trace.ids()) {
    const Ns begin = trace.begin_of(slice), duration = trace.duration_of(slice);
    const bool in = begin < touching.end && (begin >= touching.begin || begin + duration > touching.begin);
    if (!in || trace.ref_of(slice).is(kUnfinished)) continue;  // those are drawn to the end of the loaded data
    facts.emplace(begin + trace.origin_ns, duration, trace.name_of(slice), trace.ref_of(slice).offset());
  }
  return facts;
}

}  // namespace

TEST_CASE("load_choice: lists of ranks are parsed and matched, and malformed ones are rejected") {
  CHECK(parse_ranks("0").value() == std::vector<RankSpan>{{0, 0}});
  CHECK(parse_ranks("0..3,7").value() == std::vector<RankSpan>{{0, 3}, {7, 7}});
  for (const char* bad : {"", "a", "1..", "..2", "3..1", "1,", "1;2", "99999999999999999999"}) {
    CAPTURE(bad);
    CHECK(!parse_ranks(bad).ok());
  }
  const LoadChoice some{{{0, 3}, {7, 7}}, {}, LoadChoice::Clock::FromBegin};
  CHECK(chosen(some.ranks, 2));
  CHECK(chosen(some.ranks, 7));
  CHECK(!chosen(some.ranks, 4));
  CHECK(chosen(some.ranks, std::nullopt));
  CHECK(some.text() == "ranks 0..3,7");
  CHECK(LoadChoice{}.everything());
}

TEST_CASE("load_choice: lists of roles are parsed and matched, and malformed ones are rejected") {
  CHECK(parse_roles("Actor,critic,actor").value() == std::vector<std::string>{"actor", "critic"});
  CHECK(!parse_roles("").ok());
  CHECK(!parse_roles("actor,").ok());
  const std::vector<std::string> actor = {"actor"};
  CHECK(chosen(actor, "rollout, actor, ref"));
  CHECK(chosen(actor, "actor_update"));
  CHECK(!chosen(actor, "critic"));
  CHECK(chosen(actor, ""));  // files without a role are loaded
  CHECK(chosen(std::vector<std::string>{}, "critic"));
  LoadChoice choice;
  choice.roles = actor;
  CHECK(!choice.everything());
  CHECK(choice.text() == "roles actor");
}

TEST_CASE("load_choice: lists of devices are parsed and matched, and malformed ones are rejected") {
  using Devices = std::vector<DeviceSpan>;
  CHECK(parse_devices("0").value() == Devices{{"", {0, 0}}});
  CHECK(parse_devices("0,machine1/2..3").value() == Devices{{"", {0, 0}}, {"machine1", {2, 3}}});
  for (const char* bad : {"", "a", "/1", "machine1/", "machine1", "machine1/3..1", "0,,1"}) {
    CAPTURE(bad);
    CHECK(!parse_devices(bad).ok());
  }
  LoadChoice some;
  some.devices = parse_devices("0,machine1/2..3").value();
  CHECK(chosen(some.devices, "machine7", 0));
  CHECK(chosen(some.devices, "", 0));
  CHECK(chosen(some.devices, "machine1", 3));
  CHECK(!chosen(some.devices, "machine2", 3));
  CHECK(chosen(some.devices, "machine2", std::nullopt));
  CHECK(some.text() == "devices 0,machine1/2..3");
  CHECK(!some.everything());
}

TEST_CASE("load_choice: devices select lanes of a pipeline, and profiles made from its logs are left out") {
  const TempDir folder;
  PipelinePlan plan;
  const auto logs = write_logs(folder, "run", plan, 2);
  const std::string profile = folder.write("run/pipeline_profile.json",
                                           R"({"traceEvents":[{"name":"a","ph":"X","ts":1,"dur":1,"pid":0,"tid":0}]})");
  folder.write("run/pipeline_profile_perfetto.json",
               R"({"traceEvents":[{"name":"a","ph":"X","ts":1,"dur":1,"pid":0,"tid":0}]})");
  const auto lanes = [&](const std::string& devices) {
    LoadChoice choice;
    if (!devices.empty()) choice.devices = parse_devices(devices).value();
    const auto trace = load({folder.path("run")}, choice);
    std::string names;
    for (const Lane& lane : trace->lanes) names += lane.name + " ";
    std::size_t left_out = 0;
    for (const SourceInfo& source : trace->sources) {
      left_out += source.state == SourceState::LeftOut;
      if (source.path.ends_with(".json")) CHECK(source.reason.find("from the logs beside it") != std::string::npos);
    }
    return names + std::to_string(left_out);
  };
  CHECK(lanes("") == "run steps machine0 GPU 0 GPU 1 machine1 GPU 0 GPU 1 2");
  CHECK(lanes("0") == "run steps machine0 GPU 0 machine1 GPU 0 4");
  CHECK(lanes("machine1/0..7") == "run steps machine1 GPU 0 GPU 1 4");
  const auto alone = load({profile}, {});
  CHECK(alone->slices.size() == 1);
  CHECK(alone->sources[0].state == SourceState::Ready);
  // Next to logs of another run it is loaded.
  const auto beside = load({profile, folder.write("other/workerlog.0", worker_log(plan, play(plan)[0]))}, {});
  CHECK(beside->sources[0].state == SourceState::Ready);
}

TEST_CASE("load_choice: steps are known by path, and files without a step are loaded") {
  const TempDir folder;
  const std::string line = R"({"timestamp":"2025-01-01T00:00:01","event":"barrier_wait_duration","duration_sec":0.5})" "\n";
  for (const int step : {1, 2, 3}) folder.write("step_" + std::to_string(step) + "/worker_0.jsonl", line);
  folder.write("plain.json", R"({"traceEvents":[)" + event("a", 1, 5) + "]}");
  LoadChoice choice;
  choice.steps = parse_ranks("2..9").value();
  CHECK(!choice.everything());
  CHECK(choice.text() == "steps 2..9");
  const auto trace = load({folder.path()}, choice);
  CHECK(trace->slice_count == 3);
  CHECK(trace->rollout.files.size() == 2);
}

TEST_CASE("load_choice: ranks are known by path, by content or as workers, and other ranks are left out") {
  const TempDir folder;
  const std::string body = R"("traceEvents":[)" + event("a", 1, 5) + "]}";
  folder.write("trace_rank0.json", "{" + body);
  folder.write("x.json", R"({"distributedInfo": {"backend": "nccl", "rank": 1}, )" + body);
  folder.write("trace_rank2.json", "{" + body);
  folder.write("plain.json", "{" + body);
  folder.write("copy_of_rank0.json", R"({"distributedInfo": {"backend": "nccl", "rank": 1}, )" + body);  // its content counts
  folder.write("odd_rank1.json", R"({"distributedInfo": {"backend": "nccl"}, "traceEvents":[
    {"ph":"X","name":"a","pid":1,"tid":1,"ts":1,"dur":5,"args":{"rank": 7}}]})");
  folder.write("trace_rank1.json", R"({"distributedInfo": {"backend": "nccl", "rank": 0}, )" + body);
  folder.write("step_1/worker_1.jsonl",
               R"({"timestamp":"2025-01-01T00:00:01","event":"barrier_wait_duration","duration_sec":0.5,"workid":1,"step":1})" "\n");
  folder.write("step_1/worker_5.jsonl",
               R"({"timestamp":"2025-01-01T00:00:01","event":"barrier_wait_duration","duration_sec":0.5,"workid":5,"step":1})" "\n");
  const auto trace = load({folder.path()}, {{{1, 1}}, {}, LoadChoice::Clock::FromBegin});
  std::map<std::string, SourceState> states;
  for (const SourceInfo& source : trace->sources) states[source.path.substr(source.path.rfind('/') + 1)] = source.state;
  CHECK(states["trace_rank0.json"] == SourceState::LeftOut);
  CHECK(states["x.json"] == SourceState::Ready);
  CHECK(states["trace_rank2.json"] == SourceState::LeftOut);
  CHECK(states["plain.json"] == SourceState::Ready);
  CHECK(states["copy_of_rank0.json"] == SourceState::Ready);
  CHECK(states["odd_rank1.json"] == SourceState::Ready);
  CHECK(states["trace_rank1.json"] == SourceState::LeftOut);
  CHECK(states["worker_1.jsonl"] == SourceState::Ready);
  CHECK(states["worker_5.jsonl"] == SourceState::LeftOut);
  CHECK(trace->slice_count == 5);
}

TEST_CASE("load_choice: a file's rank is what distributedInfo itself says, not an object in it") {
  for (const char* info : {R"("rank":3,"pg_config":[{"rank":0}])", R"("pg_config":[{"rank":0}],"rank":3)",
                           R"("note":"\"rank\":0","in":{"rank":1},"rank":3,"last":{"rank":2})"}) {
    CAPTURE(info);
    const TempDir folder;
    const std::string path =
        folder.write("x.json", R"({"distributedInfo":{)" + std::string(info) + R"(},"traceEvents":[)" + event("a", 1, 5) + "]}");
    for (const LoadChoice& choice : {LoadChoice{}, LoadChoice{{{3, 3}}, {}, LoadChoice::Clock::FromBegin}}) {
      const auto trace = load({path}, choice);
      CHECK(trace->slice_count == 1);
      CHECK(trace->sources[0].rank == 3);
    }
  }
}

TEST_CASE("load_choice: a window loads exactly the slices that touch it, at unchanged times") {
  for (const FixtureCase& fixture : fixture_cases()) {
    CAPTURE(fixture.path);
    const auto whole = load({fixture.path}, {});
    const Ns length = whole->extent.length();
    for (const TimeRange window : {TimeRange{0, length / 3}, TimeRange{length / 4, length / 2}, TimeRange{length / 2, length},
                                   TimeRange{INT64_MIN, INT64_MAX}, TimeRange{length + 1, length + 2}}) {
      CAPTURE(window.begin);
      CAPTURE(window.end);
      CHECK(facts_of(*load({fixture.path}, {{}, window, LoadChoice::Clock::FromBegin})) == facts_of(*whole, window));
      if (window.end == INT64_MAX) continue;
      const TimeRange absolute{window.begin + whole->origin_ns, window.end + whole->origin_ns};
      CHECK(facts_of(*load({fixture.path}, {{}, absolute, LoadChoice::Clock::Absolute})) == facts_of(*whole, window));
    }
  }
}

TEST_CASE("load_choice: files with different clocks keep their relative places in a window") {
  const TempDir folder;
  folder.write("wall.json", "[" + event("w1", 1'700'000'000'000'000, 10) + "," + event("w2", 1'700'000'000'000'100, 10) + "]");
  folder.write("boot.json", "[" + event("b1", 500, 10) + "," + event("b2", 600, 10) + "," + event("b3", 700, 10) + "]");
  const auto whole = load({folder.path()}, {});
  const TimeRange window{90 * kMicrosecond, 150 * kMicrosecond};
  const auto part = load({folder.path()}, {{}, window, LoadChoice::Clock::FromBegin});
  CHECK(facts_of(*part) == facts_of(*whole, window));
  CHECK(part->slice_count == 2);
}

TEST_CASE("too_large: memory is estimated, and the ranks that would fit are proposed") {
  CHECK(memory_estimate(1000, 1, 1'000'000) == 1000 * kBytesPerItem);  // too early to tell
  CHECK(memory_estimate(1000, 100'000, 1'000'000) == 10'000 * kBytesPerItem);
  CHECK(memory_estimate(0, 0, 0) == 0);
  const std::vector<RankBytes> files{{0, 10}, {1, 10}, {2, 10}, {4, 10}, {0, 10}};  // rank 0 has two files
  CHECK(too_large(100, 80, files).ranks == std::vector<RankSpan>{{0, 1}});
  CHECK(too_large(100, 99, files).ranks == std::vector<RankSpan>{{0, 2}});
  CHECK(too_large(1000, 100, files).ranks.empty());
  CHECK(too_large(999'600'000, 999'400'000, files).amounts() == "about 1.0 GB are needed, 999 MB are allowed");
  const std::string text = too_large(9'800'000'000, 5'000'000'000, files).text();
  for (const char* part : {"9.8 GB", "5.0 GB", "--rank 0 ", "--range", "--memory-limit"}) {
    CAPTURE(part);
    CHECK(text.find(part) != std::string::npos);
  }
}

TEST_CASE("load_job: what does not fit into memory is read in part and reported") {
  const TempDir folder;
  for (int rank = 0; rank < 4; ++rank) folder.write("rank_" + std::to_string(rank) + ".json", long_trace(200'000));
  const auto load_with = [&](std::uint64_t limit, const LoadChoice& choice) {
    LoadOptions options;
    options.memory_limit = limit;
    options.choice = choice;
    options.chunk_bytes = 4096;
    std::shared_ptr<const Snapshot> snapshot;
    LoadJob job({folder.path()}, test_pool(), options, [&](auto s) { snapshot = s; });
    job.wait();
    REQUIRE(snapshot);
    return std::pair(snapshot->trace, job.too_large());
  };
  const auto [whole, nothing] = load_with(1ULL << 40, {});
  REQUIRE(!nothing);
  const std::uint64_t limit = whole->slice_count * kBytesPerItem / 3;
  const auto [part, too_large] = load_with(limit, {});
  REQUIRE(too_large);
  CHECK(too_large->limit == limit);
  CHECK(too_large->needed > limit);
  CHECK(part->slice_count * kBytesPerItem < 2 * limit);
  CHECK(part->sources.back().state == SourceState::Part);
  CHECK(!part->sources.back().reason.empty());
  REQUIRE(!too_large->ranks.empty());
  const auto [fewer, fits] = load_with(limit, {too_large->ranks, {}, LoadChoice::Clock::FromBegin});
  CHECK(!fits);
  CHECK(fewer->slice_count > 0);
  CHECK(fewer->slice_count < whole->slice_count);
}

TEST_CASE("load_job: a foreground load has no older view to keep, so it gives the part that fits") {
  const TempDir folder;
  LoadOptions options;
  options.memory_limit = 1'000 * kBytesPerItem;
  options.chunk_bytes = 4096;
  options.stays = true;
  const auto snapshot = load_snapshot({folder.write("a.json", long_trace(200'000))}, test_pool(), options);
  REQUIRE(snapshot);
  CHECK(snapshot->trace->sources.front().state == SourceState::Part);
}

TEST_CASE("memory: some memory is available") { CHECK(available_memory() > 1 << 20); }

TEST_CASE("session: a choice of ranks survives a reload, and opening again shows everything") {
  const TempDir folder;
  folder.write("rank_0.json", "[" + event("a", 0, 5) + "]");
  folder.write("rank_1.json", "[" + event("b", 0, 5) + "]");
  Session session(test_pool(), [] {});
  session.open({folder.path()});
  wait_until([&] { return !session.status().running(); });
  CHECK(session.snapshot()->trace->slice_count == 2);
  session.read_with(&ReadSettings::choice, {{{1, 1}}, {}, LoadChoice::Clock::FromBegin});
  wait_until([&] { return !session.status().running(); });
  CHECK(session.read().choice.text() == "ranks 1");
  CHECK(session.snapshot()->trace->slice_count == 1);
  session.reload();
  wait_until([&] { return !session.status().running(); });
  CHECK(session.snapshot()->trace->slice_count == 1);
  session.open({folder.path()});
  wait_until([&] { return !session.status().running(); });
  CHECK(session.snapshot()->trace->slice_count == 2);
}

// A run of `steps` steps of very different lengths, each with two workers, and the trainer's console, without times.
std::string write_timed_run(const TempDir& folder, int steps) {
  std::string console;
  double at = 100;
  for (int step = 1; step <= steps; ++step) {
    const double gen = 5 + (step * 37) % 23, rest = 3 + (step * 29) % 17;
    for (int worker = 0; worker < 2; ++worker) {
      const std::string text = rollout_log_line(at + 1, "preprocessing_duration", 1, worker, step) +
                               rollout_log_line(at + gen - worker, "async_generate_duration", gen - 2, worker, step) +
                               rollout_log_line(at + gen, "total_step_duration", gen, worker, step);
      folder.write(fmt::format("run/rollout/step_{}/worker_{}.jsonl", step, worker), text);
    }
    console += fmt::format("step:{} - timing_s/gen:{} - timing_s/update_actor:{} - timing_s/step:{}\n", step,
                           gen + 0.01, rest, gen + rest + 0.02);
    at += gen + rest + 0.03;
  }
  folder.write("run/console.log", console);
  return folder.path("run");
}

TEST_CASE("load_choice: steps of a training log have the same times in a partial load as in a full one") {
  const TempDir folder;
  const std::string run = write_timed_run(folder, 12);
  const auto whole = load({run}, {});
  REQUIRE(whole->metrics.files.front().placing.starts_with("on the clock of rollout rollout: 12 of 12 steps"));
  for (const RankSpan steps : {RankSpan{2, 3}, RankSpan{7, 7}, RankSpan{9, 12}}) {
    LoadChoice choice;
    choice.steps = {steps};
    const auto part = load({run}, choice);
    CAPTURE(steps.first);
    CHECK(part->rollout.files.size() == 2 * static_cast<std::size_t>(steps.last - steps.first + 1));
    CHECK(part->metrics.files.front().placing == whole->metrics.files.front().placing);
    REQUIRE(part->metrics.steps.size() == whole->metrics.steps.size());
    for (std::size_t s = 0; s < part->metrics.steps.size(); ++s) {
      CHECK(part->metrics.steps[s].begin + part->origin_ns == whole->metrics.steps[s].begin + whole->origin_ns);
    }
  }
}

TEST_CASE("load_choice: in a window of aligned runs, steps of a training log stay with their rollouts") {
  const TempDir folder;
  const std::string run = write_timed_run(folder, 12);
  folder.write("run/earlier.json", "[" + event("earlier", 1'700'000'000'000'000, 10) + "]");
  LoadOptions options;
  options.align = Align::Fold;
  const auto whole = load_snapshot({run}, test_pool(), options)->trace;
  REQUIRE(whole->align == Align::Fold);
  REQUIRE(whole->metrics.steps.size() == 12);
  const MetricStep &first = whole->metrics.steps[3], &last = whole->metrics.steps[7];
  options.choice.window = TimeRange{first.begin, last.begin + last.duration};
  const auto part = load_snapshot({run}, test_pool(), options)->trace;
  REQUIRE(part->metrics.steps.size() == 5);
  for (std::size_t s = 0; s < 5; ++s) {
    CHECK(part->metrics.steps[s].step == whole->metrics.steps[3 + s].step);
    CHECK(part->metrics.steps[s].begin + part->origin_ns == whole->metrics.steps[3 + s].begin + whole->origin_ns);
  }
}

TEST_CASE("load_choice: a training log in the cache is placed anew when a rollout that is not selected has changed") {
  const TempDir folder, cache;
  const std::string run = write_timed_run(folder, 12);
  LoadOptions options;
  options.choice.steps = {{2, 3}};
  options.cache = {cache.path(), "test", true, 1ULL << 30, 0};
  const auto placing = [&](const LoadOptions& how) {
    return load_snapshot({run}, test_pool(), how)->trace->metrics.files.front().placing;
  };
  REQUIRE(placing(options).starts_with("on the clock of rollout rollout: 12 of 12 steps"));
  for (const char* worker : {"0", "1"}) folder.write(fmt::format("run/rollout/step_12/worker_{}.jsonl", worker), "");
  LoadOptions without_cache = options;
  without_cache.cache = {};
  const std::string anew = placing(without_cache);
  CHECK(anew.starts_with("on the clock of rollout rollout: 11 of 12 steps"));
  CHECK(placing(options) == anew);
}

TEST_CASE("load_choice: steps of a training log are placed on packed rollouts as on rollout files") {
  const TempDir folder;
  const std::string run = write_timed_run(folder, 12), packed = folder.path("rollouts.tvx");
  std::atomic<std::uint64_t> done = 0;
  REQUIRE(pack_trace(*load({run + "/rollout"}, {}), packed, test_pool(), done));
  const auto whole = load({run}, {}), part = load({packed, run + "/console.log"}, {});
  CHECK(part->metrics.files.front().placing == whole->metrics.files.front().placing);
  REQUIRE(part->metrics.steps.size() == 12);
  for (std::size_t s = 0; s < 12; ++s) {
    CHECK(part->metrics.steps[s].begin + part->origin_ns == whole->metrics.steps[s].begin + whole->origin_ns);
  }
  // They move with rollouts whose clock is moved.
  LoadOptions options;
  options.clocks = {{packed, 5 * kSecond}};
  const auto moved = load_snapshot({packed, run + "/console.log"}, test_pool(), options)->trace;
  CHECK(moved->metrics.steps.back().begin + moved->origin_ns == whole->metrics.steps.back().begin + whole->origin_ns + 5 * kSecond);
}
