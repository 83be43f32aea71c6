// Growth kinds for what a session does with many files, records and waits, apart from reading files. Where possible they are made
// without reading, because that costs so much that the work for pairs would only show among thousands.
#include <algorithm>

#include "core/session/held/index_cache.h"
#include "core/session/load/log_evidence.h"
#include "core/session/load/pack_items.h"
#include "core/session/records/record_search.h"
#include "core/session/workspace/session.h"
#include "tests/growth/trace_events.h"
#include "tests/growth/window.h"
#include "tests/session/trace_files.h"
#include "tests/support/gen_segments.h"
#include "tests/support/rollout_log_line.h"

using namespace tv;
using namespace tv::test;

namespace {

SourceInfo ready_file(std::string path) {
  SourceInfo info;
  info.path = std::move(path);
  info.state = SourceState::Ready;
  info.bytes = info.modified_ns = 1;
  return info;
}

// One segment of n files, each of which has a lane with a step.
std::shared_ptr<const Trace> segment_with_steps(std::size_t n) {
  std::vector<SourceView> views;
  for (std::size_t i = 0; i < n; ++i) {
    TraceSketch sketch;
    sketch.lane("thread", RowRule::Nest).slice("thread", static_cast<Ns>(10 * i), 5, "step", {}, "nvtx");
    SourceView& view = views.emplace_back(sketch.view());
    view.info.path = fmt::format("trace_{}.json", i);
    for (auto& [track, spec] : view.lanes) spec.path.insert(spec.path.begin(), {view.info.path});
  }
  return built(std::move(views));
}

// The first worker generates longest, so all others wait for its request.
std::string waiting_worker(std::size_t number) {
  const int worker = static_cast<int>(number);
  const double own = worker == 0 ? 5 : 4;
  const std::string request = fmt::format(R"("request_id": "r{}", "turns": 1)", worker);
  return rollout_log_line(own, "async_rollout_request_complete", own, worker, 1, request) +
         rollout_log_line(own, "async_generate_duration", own, worker, 1) +
         rollout_log_line(5.01, "barrier_wait_duration", 5.01 - own, worker, 1) +
         rollout_log_line(5.1, "total_step_duration", 5.1, worker, 1);
}

const GrowthKind kLoadedKinds[] = {
    {"packed traces beside their files", 640, [](Meter& meter, std::size_t n) {
       std::vector<SourceInfo> files;
       PackedTraces packed;
       for (std::size_t i = 0; i < n; ++i) {
         files.push_back(ready_file(fmt::format("trace_{}.json", i)));
         auto trace = std::make_shared<Trace>();
         trace->sources = {ready_file(fmt::format("trace_{}.json", 2 * i)), ready_file(fmt::format("other_{}.json", i))};
         packed.add(ready_file(fmt::format("{}.tvx", i)), {std::move(trace), nullptr}, {});
       }
       std::vector<bool> left_out;
       meter.stage("leave out copies", [&] { left_out = packed.leave_out_copies(files); });
       CHECK(std::ranges::count(left_out, true) == static_cast<std::ptrdiff_t>(n / 2));
     }},
    {"lanes with steps of as many files", 640, [](Meter& meter, std::size_t n) {
       const auto segment = segment_with_steps(n);
       std::vector<TimedFile> known;
       meter.stage("timed files", [&] { known = timed_files({}, {}, {segment}); });
       CHECK(known.size() == n);
     }},
    {"files to pack", 320, [](Meter& meter, std::size_t n) {
       const TempDir folder;
       std::vector<std::string> paths;
       for (std::size_t i = 0; i < n; ++i) paths.push_back(folder.write(fmt::format("trace{}.json", i), "[" + event("op", 0, 5) + "]"));
       meter.stage("items", [&] { CHECK(pack_items(paths).size() == n); });
     }},
    {"logs to pack", 1'500, [](Meter& meter, std::size_t n) {
       const TempDir folder;
       for (std::size_t i = 0; i < n; ++i) {
         folder.write(fmt::format("step_1/worker_{}.jsonl", i), waiting_worker(i));
       }
       meter.stage("items", [&] {
         const auto items = pack_items({folder.path()});
         REQUIRE(items.size() == 1);
         CHECK(items.front().paths.size() == n);
       });
     }},
    {"cache entries in use", 640, [](Meter& meter, std::size_t n) {
       const TempDir cache;
       std::vector<std::string> in_use;
       for (std::size_t i = 0; i < n; ++i) in_use.push_back(cache.write(fmt::format("{:08}.tvx", i), "x"));
       meter.stage("trim", [&] { trim_cache({cache.path(), "p", true, 0, 0}, in_use); });
       CHECK(cache_entries(cache.path()).size() == n);
     }},
    {"files that are closed and opened again", 320, [](Meter& meter, std::size_t n) {
       const TempDir folder;
       std::vector<std::string> paths, files;
       for (std::size_t i = 0; i < n; ++i) {
         paths.push_back(folder.path(fmt::format("run{}", i)));
         files.push_back(paths.back() + "/missing.json");
       }
       Session session(test_pool(), [] {}, growth_options());
       const auto wait = [&] { wait_until([&] { return !session.status().running(); }); };
       session.open(paths), session.open(files, true), wait();
       meter.stage("close", [&] { session.close_files({files.begin(), files.end()}), wait(); });
       CHECK(session.read().closed.size() == n);
       meter.stage("open", [&] { session.open(files, true), wait(); });
       CHECK(session.read().closed.empty());
     }},
};

const GrowthKind kLookedUpKinds[] = {
    {"waits for one request", 128, [](Meter& meter, std::size_t n) {
       const TempDir folder;
       for (std::size_t i = 0; i < n; ++i) folder.write(fmt::format("step_1/worker_{}.jsonl", i), waiting_worker(i));
       GrowthWindow window;
       window.open({folder.path()});
       const RunState& run = window.ws.run();
       REQUIRE(run.ledger().entries.size() == 1);
       const SliceId request = run.rollout()->slice[run.ledger().entries.front().request];
       std::vector<Flow> arrows;
       meter.stage("arrows", [&] { arrows = run.barrier_arrows(request); });
       CHECK(arrows.size() == n - 1);
     }},
    {"matches after a long record", 640, [](Meter& meter, std::size_t n) {
       const TempDir folder;
       TraceEvents out;
       out.slice("op", 0, 5, 1, 1, R"(,"args":{"text":")" + std::string(16 * n, 'x') + R"("})");
       for (std::size_t i = 0; i < n; ++i) out.event('C', "needle", 10 * i, R"(,"args":{"value":1})");
       const auto trace = load_snapshot({folder.write("trace.json", out.text())}, test_pool(), growth_options())->trace;
       meter.stage("search", [&] {
         RecordSearch search(trace, "needle", test_pool(), {});
         search.wait();
         CHECK(search.hits()->slices.empty());
       });
     }},
};

}  // namespace

TEST_SUITE("growth") {
  TEST_CASE("growth: what a load decides about files costs at most n log n") { check_growth(kLoadedKinds); }
  TEST_CASE("growth: waits and matches cost at most n log n") { check_growth(kLookedUpKinds); }
}
