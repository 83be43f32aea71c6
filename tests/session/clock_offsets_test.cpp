// Clock offsets, from the option to everything shown. The oracle: logs with wrong clocks, loaded with correcting offsets, equal
// logs whose clocks agree.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/analysis/clocks/barrier_clock.h"
#include "core/analysis/rollout/blame.h"
#include "core/store/logs/rollout_bytes.h"
#include "tests/session/desk.h"
#include "tests/support/golden.h"
#include "tests/support/rollout_log_line.h"
#include "tests/support/trace_text.h"

using namespace tv;
using namespace tv::test;

namespace {

constexpr int kWorkers = 3, kSteps = 4;

// A run of three workers, `runs` times in the same files. Worker w's clock is off by w * skew.
void write_run(const TempDir& folder, Ns skew, int runs = 1) {
  for (int step = 1; step <= kSteps; ++step) {
    for (int worker = 0; worker < kWorkers; ++worker) {
      std::string text;
      for (int run = 0; run < runs; ++run) {
        const double begin = 60 + step * 20 + run * 300 + static_cast<double>(worker * skew) / 1e9;
        const int ready = 4 + (step + worker) % kWorkers;
        text += rollout_log_line(begin, "preprocessing_duration", 1, worker, step);
        for (int r = 1; r <= ready; ++r) {
          const std::string id = fmt::format(R"("request_id": "r{}-{}-{}-{}")", run, step, worker, r);
          text += rollout_log_line(begin + r, "turn_engine_call", r - 0.25, worker, step,
                                   id + R"(, "turn": 0, "generated_tokens": 100)");
          text += rollout_log_line(begin + r, "async_rollout_request_complete", r, worker, step, id);
        }
        text += rollout_log_line(begin + ready, "async_generate_duration", ready, worker, step);
        text += rollout_log_line(begin + 6.002, "barrier_wait_duration", 6.002 - ready, worker, step);
        text += rollout_log_line(begin + 7, "total_step_duration", 8, worker, step);
      }
      folder.write(fmt::format("exp/step_{}/worker_{}.jsonl", step, worker), text);
    }
  }
}

std::shared_ptr<const Trace> load(const TempDir& folder, LoadOptions options) {
  options.chunk_bytes = 512;
  return load_snapshot({folder.path()}, test_pool(), options)->trace;
}

// The first line that differs, or a note that the rollout logs differ; empty if neither does.
std::string difference(const Trace& truth, const Trace& found) {
  const std::string lines = first_difference(trace_text(truth), trace_text(found));
  const bool same_log = rollout_bytes(truth.rollout) == rollout_bytes(found.rollout);
  return lines.empty() && !same_log ? "the rollout logs differ" : lines;
}

}  // namespace

TEST_CASE("clock_offsets: an offset moves slices, counters, the rollout log and the time window alike") {
  const TempDir straight, skewed;
  write_run(straight, 0);
  write_run(skewed, 1'500 * kMillisecond);
  const ClockOffsets back{{"worker_1.jsonl", -1'500 * kMillisecond}, {"exp/*/worker_2.jsonl", -3 * kSecond}};
  const auto truth = load(straight, {}), found = load(skewed, {{.clocks = back}});
  CHECK(difference(*truth, *found) == "");
  CHECK(difference(*truth, *load(skewed, {})) != "");
  CHECK(found->extent == truth->extent);
  CHECK(found->counters.size() == 2 * kWorkers);
  CHECK(found->sources[2].clock_offset == -3 * kSecond);
  CHECK(found->sources[0].clock_offset == 0);
  for (const TimeRange window : {TimeRange{22 * kSecond, 27 * kSecond}, TimeRange{0, 3 * kSecond}}) {
    CAPTURE(window.begin);
    LoadOptions part{{.choice = {{}, window}}};
    const auto whole = load(straight, part);
    part.clocks = back;
    CHECK(whole->slice_count > 0);
    CHECK(whole->slice_count < truth->slice_count);
    CHECK(difference(*whole, *load(skewed, part)) == "");
    part.choice.window = TimeRange{window.begin + truth->origin_ns, window.end + truth->origin_ns};
    part.choice.clock = LoadChoice::Clock::Absolute;
    CHECK(difference(*whole, *load(skewed, part)) == "");
  }
}

TEST_CASE("clock_offsets: a file without a wall clock is moved from its assigned place, even before all others") {
  const TempDir folder;
  folder.write("wall.json", "[" + event("w", 1'700'000'000'000'000, 10) + "]");
  folder.write("boot.json", "[" + event("b", 500, 10) + "]");
  const auto begin = [&](const ClockOffsets& clocks, const char* name) {
    const auto trace = load(folder, {{.clocks = clocks}});
    CHECK(trace->sources[1].wall_clock);
    CHECK(!trace->sources[0].wall_clock);
    return trace->origin_ns + trace->begin_of(slice_named(*trace, name));
  };
  constexpr Ns kWall = 1'700'000'000 * kSecond;
  CHECK(begin({}, "b") == kWall);
  CHECK(begin({{"boot.json", 5 * kSecond}}, "b") == kWall + 5 * kSecond);
  CHECK(begin({{"boot.json", -5 * kSecond}}, "b") == kWall - 5 * kSecond);
  CHECK(begin({{"boot.json", -5 * kSecond}}, "w") == kWall);
  CHECK(begin({{"wall.json", kSecond}}, "b") == kWall + kSecond);  // still placed at the beginning of the other file
}

TEST_CASE("clock_offsets: aligning by barriers corrects the clocks, and nothing is left to propose") {
  const TempDir straight, skewed;
  write_run(straight, 0);
  write_run(skewed, -730 * kMillisecond);
  const auto trace = load(skewed, {});
  const auto rollout = make_rollout(trace, test_pool());
  const BarrierClocks clocks = barrier_clocks(*rollout);
  REQUIRE(clocks.workers.size() == kWorkers);
  CHECK(clocks.workers[0].sources.size() == kSteps);
  CHECK(clocks.workers[0].offset == -730 * kMillisecond);  // relative to the worker in the middle
  CHECK(clocks.workers[2].offset == 730 * kMillisecond);
  const ClockOffsets offsets = aligned(*trace, clocks, {{"worker_0.jsonl", 0}, {"other.json", 5}});
  REQUIRE(offsets.size() == 4);  // a pattern for each of two workers, then the given ones
  CHECK(offsets[0].pattern == skewed.path("exp/step_*/worker_2.jsonl"));
  CHECK(offsets[3] == ClockOffset{"other.json", 5});
  const auto found = load(skewed, {{.clocks = offsets}});
  const BlameLedger ledger = blame(*make_rollout(found, test_pool()));
  for (const Blame& entry : ledger.entries) CHECK(entry.after <= 0.005);  // 2 ms each
  double after = 0;
  for (const Blame& entry : blame(*rollout).entries) after += entry.after;
  CHECK(after > 1);
  const BarrierClocks again = barrier_clocks(*make_rollout(found, test_pool()));
  CHECK(again.applied() == 2);
  CHECK(again.proposed() == 0);
  CHECK(again.workers[0].applied == -730 * kMillisecond);
  CHECK(verdict(again) ==
        "The clocks of 3 workers agree within 0 ns (90 % of barriers, 4 steps). Offsets are applied to 2.");
  // All times are those of the correct run, moved by the clock error of the middle worker.
  CHECK(found->origin_ns - load(straight, {})->origin_ns == -730 * kMillisecond);
}

TEST_CASE("clock_offsets: runs appended to the same files share one clock per worker") {
  const TempDir folder;
  write_run(folder, kSecond, 2);
  const auto rollout = make_rollout(load(folder, {}), test_pool());
  REQUIRE(rollout->runs.size() == 2);
  const BarrierClocks clocks = barrier_clocks(*rollout);
  REQUIRE(clocks.workers.size() == kWorkers);
  CHECK(clocks.workers[1].run == "exp");
  CHECK(clocks.workers[1].steps == 2 * kSteps);
  CHECK(clocks.workers[0].offset == kSecond);
  CHECK(clocks.workers[0].sources.size() == kSteps);
}

TEST_CASE("clock_offsets: a manual offset applies to all files of a worker, alignment keeps differences between them") {
  const TempDir folder;
  write_run(folder, 0);
  const ClockOffsets now{{"step_2/worker_1.jsonl", 3 * kSecond}, {"worker_1.jsonl", kSecond}};
  const auto trace = load(folder, {{.clocks = now}});
  BarrierClocks clocks = barrier_clocks(*make_rollout(trace, test_pool()));
  BarrierClock& worker = clocks.workers[1];
  CHECK(worker.mixed);
  CHECK(worker.applied == kSecond);
  CHECK(worker.offset == -kSecond);  // one step of four is off
  // Applies to all of its files, listed before the earlier offsets.
  const ClockOffsets offsets = with_clock(*trace, worker, -5, now);
  REQUIRE(offsets.size() == 3);
  CHECK(offsets[0] == ClockOffset{folder.path("exp/step_*/worker_1.jsonl"), -5});
  for (const std::uint32_t source : worker.sources) CHECK(clock_offset_of(offsets, trace->sources[source].path) == -5);
  CHECK(with_clock(*trace, worker, 7, offsets).size() == 3);  // replaced, not added
  worker.proposed = true;
  const ClockOffsets more = aligned(*trace, clocks, now);
  CHECK(clock_offset_of(more, folder.path("exp/step_1/worker_1.jsonl")) == 0);
  CHECK(clock_offset_of(more, folder.path("exp/step_2/worker_1.jsonl")) == 2 * kSecond);
}

TEST_CASE("clock_offsets: the cache distinguishes traces with different offsets") {
  const TempDir folder, cache;
  write_run(folder, 0);
  const auto load_with = [&](const ClockOffsets& clocks) {
    LoadOptions options{{.clocks = clocks}};
    options.cache = {cache.path(), "p", true, 1ULL << 30, 0};
    std::shared_ptr<const Trace> trace;
    LoadJob job({folder.path()}, test_pool(), options, [&](auto snapshot) { trace = snapshot->trace; });
    job.wait();
    return std::pair(trace, job.times().nothing_read);
  };
  const ClockOffsets some{{"worker_1.jsonl", kSecond}};
  const auto [plain, first_kept] = load_with({});
  const auto [moved, second_kept] = load_with(some);
  CHECK(!first_kept);
  CHECK(!second_kept);
  CHECK(difference(*moved, *plain) != "");
  const auto [moved_again, third_kept] = load_with(some);
  CHECK(third_kept);
  CHECK(difference(*moved, *moved_again) == "");
  CHECK(moved_again->sources[1].clock_offset == kSecond);
  const auto [same, fourth_kept] = load_with({{"nothing.json", 7}});  // moves no file, so the cached data fits
  CHECK(fourth_kept);
  CHECK(difference(*plain, *same) == "");
}

TEST_CASE("clock_offsets: the window keeps the selection when clocks move, and opening files drops the offsets") {
  const TempDir folder;
  write_run(folder, kSecond);
  TestDesk desk;
  desk.open({folder.path()});
  desk.wait_for_all();
  const RunState& state = desk.ws.run();
  REQUIRE(state.clocks().proposed() == 2);
  desk.apply(command::GoToStep{2});
  desk.apply(command::FilterRequests{"dur>2s"});
  desk.select("barrier_wait_duration");
  const Ns begin = desk.ws.state().selected.details->begin_abs;
  const auto before = desk.ws.session().snapshot();

  desk.ws.apply(command::AlignClocks{});
  desk.wait_for_all();
  CHECK(desk.ws.session().snapshot() != before);
  CHECK(state.clocks().proposed() == 0);
  CHECK(state.clocks().applied() == 2);
  CHECK(desk.selected() == "barrier_wait_duration");
  CHECK(desk.ws.state().selected.details->begin_abs == begin + kSecond);  // worker 0's slice, moved to worker 1's clock
  CHECK(state.question().step == 2);
  CHECK(state.chips().size() == 1);

  desk.ws.apply(command::AlignClocks{});  // nothing to do
  desk.wait_for_all();
  CHECK(state.clocks().applied() == 2);

  desk.ws.apply(
      command::SetClocks{with_clock(desk.ws.trace(), state.clocks().workers[1], 250, desk.ws.session().read().clocks)});
  desk.wait_for_all();
  CHECK(state.clocks().workers[1].applied == 250);
  CHECK(state.clocks().workers[2].applied == -kSecond);
  desk.ws.apply(command::Reload{});
  desk.wait_for_all();
  CHECK(state.clocks().workers[1].applied == 250);

  desk.ws.apply(command::SetClocks{});
  desk.wait_for_all();
  CHECK(state.clocks().applied() == 0);
  CHECK(desk.ws.state().selected.details->begin_abs == begin);

  desk.ws.apply(command::SetClocks{{{"worker_0.jsonl", 5}}});
  desk.wait_for_all();
  desk.open({folder.path()});
  desk.wait_for_all();
  CHECK(state.clocks().applied() == 0);
}

TEST_CASE("clock_offsets: a window with align_by_barriers aligns the clocks of what it opens") {
  const TempDir folder;
  write_run(folder, -kSecond);
  LoadOptions options;
  options.align_by_barriers = true;
  Workspace ws(test_pool(), [] {}, options);
  ws.apply(command::OpenPaths{{folder.path()}, false});
  CHECK(ws.aligning());
  double now = 0;
  wait_until([&] {
    ws.begin_frame(0.02, now += 0.02, {});
    return !ws.busy();
  });
  ws.begin_frame(0.02, now, {});
  CHECK(ws.run().clocks().applied() == 2);
  CHECK(ws.run().clocks().proposed() == 0);
}
