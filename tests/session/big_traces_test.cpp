// The generators of big inputs, at two megabytes each: a loaded Trace holds what they report to have written.
#include "tests/support/big_traces.h"

#include <doctest/doctest.h>

#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "core/session/load/load_job.h"
#include "tests/support/gen_trace.h"
#include "tests/support/temp_dir.h"

using namespace tv;
using namespace tv::test;

namespace {

// Counts the contents of a Trace as BigTruth defines them.
BigTruth counted(const Trace& trace) {
  BigTruth found;
  std::map<std::string_view, Ns> totals;  // of names in use
  for (const Row& row : trace.rows) {
    for (std::size_t i = row.first; i < row.first + row.count; ++i) {
      (row.kind == RowKind::Slices ? found.slices : found.instants) += 1;
      totals[trace.labels.name(trace.slices.label[i])] += trace.slices.duration[i];
    }
  }
  found.names = totals.size();
  for (const auto& [name, total] : totals) {
    if (total > 0) found.longest.push_back({std::string(name), total});
  }
  std::stable_sort(found.longest.begin(), found.longest.end(),
                   [](const BigTruth::Total& a, const BigTruth::Total& b) { return a.total_ns > b.total_ns; });
  if (found.longest.size() > 5) found.longest.resize(5);
  found.samples = trace.sample_count;
  found.flows = trace.flows.size();
  for (const Lane& lane : trace.lanes) found.lanes += lane.kind != LaneKind::Group;
  found.begin_ns = trace.origin_ns + trace.extent.begin;
  found.end_ns = trace.origin_ns + trace.extent.end;
  found.files = trace.sources.size();
  std::set<std::int64_t> steps, workers;
  for (const SourceInfo& source : trace.sources) {
    found.bytes += source.bytes;
    if (source.format != "verl_rollout") continue;
    REQUIRE(source.step);
    REQUIRE(source.worker);
    steps.insert(*source.step);
    workers.insert(*source.worker);
  }
  found.steps = steps.size();
  found.workers = workers.size();
  if (found.steps > 0) {
    found.lanes -= trace.counters.size();  // computed by us: they hold nothing from the files
    for (std::size_t i = 0; i < trace.slices.size(); ++i) {
      found.requests += trace.labels.name(trace.slices.label[i]) == "async_rollout_request_complete";
    }
  }
  return found;
}

std::shared_ptr<const Snapshot> check(const std::string& path, const BigTruth& truth) {
  const auto snapshot = load_snapshot({path}, test_pool());
  const Trace& trace = *snapshot->trace;
  CHECK(check_invariants(trace) == "");
  CHECK(trace.lost() == 0);
  CHECK(to_json(counted(trace)) == to_json(truth));
  // Only oddities that real files have, too, are allowed.
  for (const SourceInfo& source : trace.sources) {
    for (const ProblemCount& problem : source.problems.entries()) {
      CHECK_MESSAGE(info(problem.kind).severity == Severity::Info, info(problem.kind).id);
    }
  }
  return snapshot;
}

// FNV-1a
std::uint64_t hash_of(std::string_view bytes, std::uint64_t hash = 0xCBF29CE484222325) {
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3;
  return hash;
}

// A file as one text; the parts a sink gets may be of any length.
template <class Write>
std::string text_of(Write write, BigTruth& truth) {
  std::string text;
  truth = write([&](std::string_view part) { text += part; });
  CHECK(truth.bytes == text.size());
  return text;
}

constexpr std::uint64_t kBytes = 2'000'000;

}  // namespace

TEST_SUITE_BEGIN("big");

TEST_CASE("big traces: kineto files in each layout match their hash and load as their ground truth") {
  struct Way {
    KinetoPlan plan;
    std::uint64_t hash;
  };
  // The hashes are those of the bytes that every compiler and machine must write. They change when the writers do.
  const Way ways[] = {
      {{.bytes = kBytes}, 0xEDAD441D67987E57},
      {{.bytes = kBytes, .seed = 2, .rank = 3, .base_last = true}, 0xDC21A65323328C90},
      {{.bytes = kBytes, .absolute = true}, 0x4AFC7FEDF2C1E5F0},
      {{.bytes = kBytes, .one_line = true}, 0x049C7FD6B593E709},
  };
  for (const Way& way : ways) {
    CAPTURE(way.plan.rank);
    CAPTURE(way.plan.absolute);
    CAPTURE(way.plan.one_line);
    BigTruth truth;
    const std::string text = text_of([&](const Sink& sink) { return write_kineto(way.plan, sink); }, truth);
    CHECK(hash_of(text) == way.hash);
    CHECK(nlohmann::json::accept(text));
    CHECK(text.size() > kBytes * 9 / 10);
    CHECK(text.size() < kBytes * 11 / 10);
    CHECK((text.find('\n') == std::string::npos) == way.plan.one_line);
    CHECK(truth.flows > truth.slices * 5 / 100);
    CHECK(truth.flows < truth.slices * 9 / 100);
    CHECK(truth.names > 1'000);

    const TempDir folder;
    const auto snapshot = check(folder.write("trace.json", text), truth);
    CHECK(snapshot->trace->sources[0].rank == way.plan.rank);
    CHECK(snapshot->trace->sources[0].wall_clock);
  }
}

TEST_CASE("big traces: a rollout of a given size in bytes matches its hash and loads as its ground truth") {
  const TempDir folder;
  std::uint64_t hash = hash_of("");
  const BigTruth truth = write_rollout({.bytes = kBytes}, [&](std::string_view path, std::string_view bytes) {
    hash = hash_of(bytes, hash_of(path, hash));
    folder.write(path, bytes);
    std::istringstream lines{std::string(bytes)};
    for (std::string line; std::getline(lines, line);) CHECK(nlohmann::json::accept(line));
  });
  CHECK(hash == 0xFBC196D010B16ADB);
  CHECK(truth.steps == 2);
  CHECK(truth.workers == 8);
  CHECK(truth.bytes > kBytes * 9 / 10);
  CHECK(truth.bytes < kBytes * 11 / 10);
  check(folder.path(), truth);
}

TEST_CASE("big traces: a rollout with given steps, workers and requests loads as its ground truth") {
  const TempDir folder;
  const BigTruth truth =
      write_rollout({.steps = 3, .workers = 2, .requests = 5},
                    [&](std::string_view path, std::string_view bytes) { folder.write(path, bytes); });
  CHECK(truth.files == 6);
  CHECK(truth.requests == 30);
  check(folder.path(), truth);
}

TEST_CASE("big traces: pathological traces match their hashes and load as their ground truth") {
  struct Kind {
    std::string name;
    std::function<BigTruth(const Sink&)> write;
    std::uint64_t hash, lanes, rows;
  };
  const Kind kinds[] = {
      {"deep lane", [](const Sink& s) { return write_deep_lane(24'000, 1, s); }, 0x151A4D9AC6798AD7, 1, 40},
      {"many lanes", [](const Sink& s) { return write_many_lanes(1'000, 1, s); }, 0x07A87E893D3640BD, 1'000, 1'000},
      {"async", [](const Sink& s) { return write_async(10'000, 1, s); }, 0x3389FDBF8EA55301, 1, 10'000},
      {"big arg", [](const Sink& s) { return write_big_arg(8'000, 1'500'000, 1, s); }, 0xF90F69B200A3664D, 1, 1},
  };
  for (const Kind& kind : kinds) {
    CAPTURE(kind.name);
    BigTruth truth;
    const std::string text = text_of(kind.write, truth);
    CHECK(hash_of(text) == kind.hash);
    CHECK(nlohmann::json::accept(text));
    CHECK(truth.lanes == kind.lanes);
    const TempDir folder;
    const auto snapshot = check(folder.write("trace.json", text), truth);
    CHECK(snapshot->trace->rows.size() >= kind.rows);
  }
}

TEST_SUITE_END();
