// A followed rollout, read again after each change by a job that reuses what the previous one left: the result equals that of a
// job that starts from nothing.
#include "core/session/load/grown_logs.h"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "core/analysis/rollout/known_requests.h"
#include "core/analysis/rollout/rollout.h"
#include "core/base/names/natural_less.h"
#include "core/session/load/load_job.h"
#include "core/session/load/segment_groups.h"
#include "core/store/segments/compose.h"
#include "core/store/segments/one_segment.h"
#include "tests/support/gen_trace.h"
#include "tests/support/golden.h"
#include "tests/support/rollout_ends.h"
#include "tests/support/skip.h"
#include "tests/support/temp_dir.h"
#include "tests/support/trace_text.h"

using namespace tv;
using namespace tv::test;
namespace fs = std::filesystem;

namespace {

constexpr std::int64_t kApart_ms = 60'000;  // from one step to the next

std::string stamp_of(std::int64_t ms) {
  return fmt::format("2026-01-05T{:02}:{:02}:{:02}.{:03}", 8 + ms / 3'600'000, ms / 60'000 % 60, ms / 1000 % 60, ms % 1000);
}

std::string rollout_line(std::int64_t ms, std::string_view event, double seconds, int step, int worker, const std::string& extra = {}) {
  return fmt::format(R"({{"timestamp": "{}", "event": "{}", "duration_sec": {}, {}"workid": {}, "step": {}}})", stamp_of(ms), event, seconds,
                     extra.empty() ? std::string() : "\"extra\": {" + extra + "}, ", worker, step) +
         "\n";
}

// What a worker writes in a step that begins at `ms`.
std::string worker_lines(Random& random, int step, int worker, std::int64_t ms) {
  std::string text = rollout_line(ms + 100, "preprocessing_duration", 0.1, step, worker);
  for (int request = 0; request < random.in(1, 6); ++request) {
    const std::string id = fmt::format(R"("request_id": "{}-{}-{}")", step, worker, request);
    const std::int64_t length = random.in(500, 20'000), end = ms + 200 + length;
    text += rollout_line(ms + 200 + length / 2, "turn_engine_call", static_cast<double>(length) / 2000, step, worker,
                 id + fmt::format(R"(, "turn": 0, "generated_tokens": {})", random.in(5, 90)));
    text += rollout_line(end, "async_rollout_request_complete", static_cast<double>(length) / 1000, step, worker,
                         id + fmt::format(R"(, "turns": 1, "finish_reason": "{}")", random.chance(0.8) ? "STOP" : random.chance(0.8) ? "LENGTH" : "ABORT"));
  }
  return text + rollout_line(ms + 30'000, "total_step_duration", random.chance(0.3) ? 29 : 30, step, worker);
}

struct FollowedLoad {
  std::shared_ptr<const Snapshot> snapshot;
  EarlierLoad left;
};

FollowedLoad load_after(const std::string& folder, EarlierLoad kept, AlignChoice align = Align::Recorded) {
  LoadOptions options;
  options.follow = true;
  options.align = align;
  FollowedLoad out;
  LoadJob job({folder}, test_pool(), options, [&](std::shared_ptr<const Snapshot> snapshot) { out.snapshot = std::move(snapshot); },
              std::move(kept));
  job.wait();
  REQUIRE(out.snapshot);
  REQUIRE(out.snapshot->complete);
  out.left = job.left();
  return out;
}

std::string rollout_text(const Trace& trace) {
  std::string text = fmt::format("{} {} {} {}\n", trace.origin_ns, trace.extent.end, trace.work.begin, trace.work.end);
  for (const SourceInfo& source : trace.sources) {
    text += fmt::format("{} {} {} {} {} {} {} {}\n", source.path, source.shift.by, name(source.state), source.reason, source.slices, source.samples,
                        source.clock_fit.unit, source.clock_fit.text);
  }
  for (const RolloutRequest& request : trace.rollout.requests) {
    text += fmt::format("{} {} {} {}\n", request.id, request.end, request.file, request.first_turn);
  }
  for (const RolloutFile& file : trace.rollout.files) text += fmt::format("{} {} {}\n", file.source, file.step, file.first_end);
  return text + trace_text(trace);
}

// The trace equals a fresh load, both as it is and joined into one segment.
void check_as_read_at_once(const Trace& trace, const std::string& folder, AlignChoice align = Align::Recorded) {
  CHECK(check_invariants(trace) == "");
  const auto one = trace.parts.empty() ? nullptr : as_one_segment(trace, test_pool()).value();
  const auto at_once = load_after(folder, {}, align).snapshot->trace;
  CHECK(first_difference(rollout_text(*at_once), rollout_text(one ? *one : trace)) == "");
  CHECK(first_difference(sorted_trace_text(*at_once), sorted_trace_text(trace)) == "");
}

std::string rollout_text(const Rollout& rollout) {
  std::string text = fmt::format("{} {}\n", fmt::join(rollout.runs, ","), fmt::join(rollout.workers, ","));
  for (const RolloutStep& step : rollout.steps) {
    text += fmt::format("step {} {} {} {} {} {} {}\n", step.run, step.step, step.first, step.end, step.extent.begin, step.extent.end,
                        step.last);
  }
  for (const WorkerStep& part : rollout.worker_steps) {
    text += fmt::format("worker {} {} {} {} {} {} {}\n", part.step, part.worker, part.file, part.first, part.end,
                        fmt::join(part.phases, ","), part.run);
  }
  text += fmt::format("in flight {}\n", fmt::join(rollout.in_flight, ","));
  text += fmt::format("ends {}\n", fmt::join(rollout.first_of_finish, ","));
  for (RequestIx r = 0; r < rollout.size(); ++r) {
    text += fmt::format("{} {} {} {} {} {} {} {} {}", rollout.row[r], rollout.step[r], rollout.worker[r], rollout.seconds[r], rollout.begin[r],
                        rollout.end[r], rollout.turns[r], rollout.tokens[r], idx(rollout.slice[r]));
    for (const auto& phase : rollout.exclusive) text += fmt::format(" {}", phase[r]);
    text += '\n';
  }
  for (const auto& [slice, request] : rollout.by_slice) text += fmt::format("{} {}\n", idx(slice), request);
  return text;
}

// The analysis of a followed run, reused after each change as in its window.
class Analysed {
 public:
  // The result with the previous analysis is the same as without.
  void follow(const std::shared_ptr<const Trace>& trace) {
    if (rollout_) known_ += known_requests(*trace, rollout_.get()).requests;
    rollout_ = make_rollout(trace, test_pool(), rollout_.get());
    Rollout anew = *make_rollout(trace, test_pool());
    CHECK(first_difference(rollout_text(anew), rollout_text(*rollout_)) == "");
    set_ends(anew);
    CHECK(first_difference(rollout_text(anew), rollout_text(*rollout_)) == "");
  }
  std::size_t known() const { return known_; }

 private:
  std::shared_ptr<const Rollout> rollout_;
  std::size_t known_ = 0;
};

}  // namespace

TEST_SUITE_BEGIN("concurrent");

TEST_CASE("grown_logs: while a step is written, segments of earlier steps stay, and a finished step joins them") {
  const TempDir folder;
  Random random(1);
  const auto path = [](int step, int worker) { return fmt::format("run/step_{}/worker_{}.jsonl", step, worker); };
  const int workers = 3;
  for (int step = 1; step <= 3; ++step) {
    for (int worker = 0; worker < workers; ++worker) folder.write(path(step, worker), worker_lines(random, step, worker, step * kApart_ms));
  }
  FollowedLoad now = load_after(folder.path("run"), {});
  REQUIRE(now.left.built.size() == 1);
  CHECK(now.left.built.front().segments.size() == 1);
  Analysed analysed;
  for (int step = 4; step <= 6; ++step) {
    Segments stay;
    for (int worker = 0; worker < workers; ++worker) {
      CAPTURE(step);
      CAPTURE(worker);
      folder.write(path(step, worker), worker_lines(random, step, worker, step * kApart_ms));
      now = load_after(folder.path("run"), now.left);
      REQUIRE(now.left.built.size() == 1);
      Segments segments = now.left.built.front().segments;
      CHECK(segments_of(now.snapshot->trace) == segments);
      REQUIRE(segments.size() > 1);
      CHECK(segments.back()->sources.size() == static_cast<std::size_t>(worker + 1));
      segments.pop_back();
      if (worker > 0) CHECK(segments == stay);
      stay = segments;
      REQUIRE(!stay.front()->rollout.requests.empty());
      CHECK(&now.snapshot->trace->rollout.requests[0] == &stay.front()->rollout.requests[0]);  // shared
      check_as_read_at_once(*now.snapshot->trace, folder.path("run"));
      const std::size_t known_before = analysed.known();
      analysed.follow(now.snapshot->trace);
      std::size_t stays = 0;
      for (const auto& segment : stay) stays += segment->rollout.requests.size();
      if (worker > 0) CHECK(analysed.known() - known_before >= stays);
    }
  }
}

TEST_CASE("grown_logs: overlapping steps are built together, and the refusal to split them is remembered") {
  const TempDir folder;
  Random random(2);
  for (int step = 1; step <= 3; ++step) {
    folder.write(fmt::format("run/step_{}/worker_0.jsonl", step), worker_lines(random, step, 0, step * 5'000));
  }
  FollowedLoad now = load_after(folder.path("run"), {});
  for (int piece = 0; piece < 3; ++piece) {
    folder.append("run/step_3/worker_0.jsonl", rollout_line(50'000 + piece, "reward", 0.1, 3, 0));
    now = load_after(folder.path("run"), now.left);
    REQUIRE(now.left.built.size() == 1);
    CHECK(now.left.built.front().refused_at == 2);
    check_as_read_at_once(*now.snapshot->trace, folder.path("run"));
  }
}

TEST_CASE("grown_logs: after random writes, changes and deletions, the result equals a fresh load") {
  std::size_t joins = 0, known = 0;
  for (const std::uint64_t seed : seeds(24)) {
    CAPTURE(seed);
    Random random(seed);
    const TempDir folder;
    const AlignChoice align = random.chance(0.5) ? AlignChoice(Align::Recorded) : std::nullopt;
    const auto path = [](std::int64_t step, std::int64_t worker) { return fmt::format("run/step_{}/worker_{}.jsonl", step, worker); };
    int last = 1;
    std::int64_t begins = 0;
    folder.write(path(1, 0), worker_lines(random, 1, 0, 0));
    FollowedLoad now = load_after(folder.path("run"), {}, align);
    Analysed analysed;
    for (int change = 0; change < 10; ++change) {
      CAPTURE(change);
      const std::int64_t step = random.chance(0.7) ? last : random.in(1, last);
      const std::string any = path(step, random.in(0, 2));
      const int what = static_cast<int>(random.in(0, 9));
      if (what < 5) {  // one more step, sometimes parallel to the previous one, or hours later
        begins += random.chance(0.1) ? 10'000 : random.chance(0.05) ? 4 * 3'600'000 : kApart_ms;
        ++last;
        for (int worker = 0; worker < random.in(1, 3); ++worker) folder.write(path(last, worker), worker_lines(random, last, worker, begins));
      } else if (what < 7) {
        const std::string more = worker_lines(random, static_cast<int>(step), 0, begins + random.in(0, 20'000));
        folder.append(any, random.chance(0.5) ? more : more.substr(0, more.size() / 2));
      } else if (what == 7) {
        folder.write(fmt::format("run/step_{}/notes.txt", step), "about this step\n");
      } else if (what == 8) {
        fs::remove(folder.path(any));
      } else {
        folder.write(path(step, random.in(0, 2)), "");
      }
      now = load_after(folder.path("run"), now.left, align);
      joins += segments_of(now.snapshot->trace).size() > 1 ? 1 : 0;
      check_as_read_at_once(*now.snapshot->trace, folder.path("run"), align);
      analysed.follow(now.snapshot->trace);
    }
    known += analysed.known();
  }
  if (seeds(24).size() > 1) {
    CHECK(joins > seeds(24).size());
    CHECK(known > seeds(24).size());
  }
}

TEST_CASE("grown_logs: requests are reused even if the segment before them changes its number of slices") {
  const TempDir folder;
  Random random(3);
  const auto trace_of = [&](int slices) {
    std::string text = "[";
    for (int n = 0; n < slices; ++n) text += fmt::format(R"({}{{"ph":"X","name":"n","pid":1,"tid":1,"ts":{},"dur":1}})", n > 0 ? "," : "", 2 * n);
    folder.write(fmt::format("{}/trace.json", slices), text + "]");
    return segments_of(load_after(folder.path(std::to_string(slices)), {}).snapshot->trace).front();
  };
  const auto run_of = [&](int step) {
    folder.write(fmt::format("run {}/step_{}/worker_0.jsonl", step, step), worker_lines(random, step, 0, step * kApart_ms));
    return segments_of(load_after(folder.path(fmt::format("run {}", step)), {}).snapshot->trace).front();
  };
  const auto first = run_of(1), second = run_of(2);
  const auto before = compose({trace_of(3), first}).value(), now = compose({trace_of(5), first, second}, PlaceBy::Collectives, {}, {nullptr, before.get()}).value();
  REQUIRE(before->parts[1].first_slice + 2 == now->parts[1].first_slice);
  CHECK(&before->rollout.requests[0] == &now->rollout.requests[0]);
  const auto earlier = make_rollout(before, test_pool()), rollout = make_rollout(now, test_pool(), earlier.get());
  CHECK(known_requests(*now, earlier.get()).requests == earlier->size());
  CHECK(&earlier->seconds[0] == &rollout->seconds[0]);
  CHECK(idx(earlier->slice[0]) + 2 == idx(rollout->slice[0]));
  CHECK(first_difference(rollout_text(*make_rollout(now, test_pool())), rollout_text(*rollout)) == "");

  // A segment alone, and then the first of two.
  const auto alone = make_rollout(first, test_pool());
  const auto two = compose({first, second}, PlaceBy::Collectives, {}, {nullptr, first.get()}).value();
  const auto of_two = make_rollout(two, test_pool(), alone.get());
  CHECK(&alone->seconds[0] == &of_two->seconds[0]);
  CHECK(&alone->slice[0] == &of_two->slice[0]);
  CHECK(known_requests(*first, alone.get()).requests == alone->size());
  CHECK(first_difference(rollout_text(*alone), rollout_text(*make_rollout(first, test_pool(), alone.get()))) == "");
  CHECK(first_difference(rollout_text(*make_rollout(two, test_pool())), rollout_text(*of_two)) == "");
}

TEST_CASE("grown_logs: real rollouts that arrive file by file, in two pieces each, equal a load at once") {
  const fs::path real = shared_sample("verl/constructed");
  if (real.empty()) return;
  std::vector<std::string> files;
  std::error_code code;
  for (fs::recursive_directory_iterator at(real, code), end; !code && at != end; at.increment(code)) {
    if (at->path().extension() == ".jsonl" && at->path().string().find("/step_") != std::string::npos) files.push_back(at->path().string());
  }
  REQUIRE(!files.empty());
  std::ranges::sort(files, natural_less);
  const TempDir folder;
  FollowedLoad now;
  Analysed analysed;
  std::size_t stays = 0;
  for (const std::string& file : files) {
    CAPTURE(file);
    const std::string name = "run" + file.substr(real.string().size()), text = read_file(file);
    const Segments before = now.snapshot ? segments_of(now.snapshot->trace) : Segments();
    folder.write(name, text.substr(0, text.size() / 2));
    now = load_after(folder.path("run"), now.left, std::nullopt);
    folder.append(name, text.substr(text.size() / 2));
    now = load_after(folder.path("run"), now.left, std::nullopt);
    const Segments shown = segments_of(now.snapshot->trace);
    const auto stayed = [&](const auto& segment) { return std::ranges::count(before, segment) > 0; };
    stays += std::ranges::any_of(shown, stayed) ? 1 : 0;
    check_as_read_at_once(*now.snapshot->trace, folder.path("run"), std::nullopt);
    analysed.follow(now.snapshot->trace);
  }
  CHECK(stays > files.size() / 2);
  CHECK(analysed.known() > 0);
}
