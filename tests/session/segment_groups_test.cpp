#include "core/session/load/segment_groups.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "core/session/files/given_sources.h"
#include "core/session/load/load_job.h"
#include "tests/support/gen_trace.h"
#include "tests/support/golden.h"
#include "tests/support/places.h"
#include "tests/support/temp_dir.h"

using namespace tv;
using namespace tv::test;

namespace {

SourceView told(std::string path, std::string format, std::int64_t pid, std::optional<std::int64_t> rank, std::string host = {}) {
  SourceView view;
  view.info.path = std::move(path);
  view.info.format = std::move(format);
  view.info.pid = pid;
  view.info.rank = rank;
  view.info.host = std::move(host);
  view.lanes["t"].path = {{"thread", 0, view.info.path}};
  view.batches.push_back({std::make_shared<SliceBlock>(), std::make_shared<BatchRest>(EventBatch()), nullptr});
  return view;
}

std::string text_of(const SegmentGroups& groups) {
  std::string text;
  for (const auto& group : groups) {
    for (const std::size_t file : group) text += std::to_string(file);
    text += " ";
  }
  return text;
}

std::string groups_of(const std::vector<SourceView>& files) { return text_of(segment_groups(files)); }

std::vector<std::string> readable_fixtures() {
  std::vector<std::string> files = fixture_files();
  std::erase_if(files, [](const std::string& file) {
    const auto known = recognise(file);
    return !known.ok() || !known.value().reader || !known.value().reader->read;
  });
  return files;
}

}  // namespace

TEST_CASE("segment_groups: trace files are in groups of their own, logs of one run share a group") {
  const std::string kineto = "chrome_json";
  CHECK(groups_of({}) == "");
  CHECK(groups_of({told("d/a", kineto, 400, 0), told("d/b", kineto, 401, 1), told("d/c", kineto, 400, 0)}) == "0 1 2 ");
  CHECK(groups_of({told("a", "nsys_sqlite", 7, {}, "h"), told("b", "nsys_sqlite", 7, {}, "h")}) == "0 1 ");
  const auto rollout = [&](const std::string& path) {
    SourceView view = told(path, "verl_rollout", 0, {});
    view.info.pid.reset();
    view.info.run = rollout_run(view.info.format, path);
    view.rollout = std::make_shared<RolloutLog>();
    return view;
  };
  CHECK(groups_of({rollout("run/step_1/worker_0.jsonl"), rollout("other/step_1/worker_0.jsonl"), told("d/a", kineto, 400, 0),
                   rollout("run/step_2/worker_1.jsonl")}) == "03 1 2 ");
  // Logs with a common lane share a group; common lanes of traces are joined in the view.
  SourceView trace = told("d/c", kineto, 402, 2), log = told("l", "megatron_log", 9, {}), more = told("m", "megatron_log", 9, {});
  trace.lanes["t"].path = {{"thread", 0, "d/a"}};
  more.lanes["t"].path = log.lanes["t"].path;
  CHECK(groups_of({told("d/a", kineto, 400, 0), trace, log, told("d/b", kineto, 401, 1), more}) == "0 1 24 3 ");
}

TEST_CASE("segment_groups: pipeline logs of other runs, or with another kind of clock, are in other groups") {
  const auto device = [](const std::string& path, const std::string& folder, Ns begin) {
    SourceView view = told(path, "paddle_log", 0, {});
    auto log = std::make_shared<PipelineLog>();
    log->devices.emplace_back().folder = static_cast<std::uint32_t>(log->texts.intern(folder));
    view.pipeline = std::move(log);
    SliceColumns slices;
    slices.add(0, begin, kSecond, {}, kNoGroup, 0, 0);
    view.batches = {{std::make_shared<SliceBlock>(slices), std::make_shared<BatchRest>(EventBatch()), nullptr}};
    return view;
  };
  constexpr Ns kMonday = 1'700'000'000 * kSecond;
  CHECK(groups_of({device("a", "monday", kMonday), device("b", "monday", kMonday), device("c", "friday", kMonday)}) == "01 2 ");
  CHECK(groups_of({device("a", "monday", kMonday), device("b", "monday", 5 * kSecond), device("c", "monday", kMonday)}) == "02 1 ");
}

TEST_CASE("segment_groups: a file with only empty lanes does not change the times of others") {
  const TempDir folder;
  const std::string ends = folder.write("only_ends.json", R"([{"ph":"E","pid":1,"tid":2,"ts":100},{"ph":"E","pid":1,"tid":2,"ts":200}])");
  for (const std::string& other : readable_fixtures()) {
    CAPTURE(other);
    const auto alone = load_snapshot({other}, test_pool())->trace, trace = load_snapshot({ends, other}, test_pool())->trace;
    REQUIRE(check_invariants(*trace) == "");
    CHECK(trace->origin_ns == alone->origin_ns);
    CHECK(trace->extent == alone->extent);
    CHECK(trace->work == alone->work);
  }
}
