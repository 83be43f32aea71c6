// A rollout that grows gets new indices. The chosen worker and request must stay the same.
#include <doctest/doctest.h>

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>

#include "core/query/find_slice.h"
#include "core/session/load/load_job.h"
#include "core/session/workspace/run_state.h"
#include "tests/session/trace_files.h"
#include "tests/support/gen_trace.h"
#include "tests/support/rollout_log_line.h"
#include "tests/support/temp_dir.h"

using namespace tv;
using namespace tv::test;

namespace {

// Each worker has two requests in each step: "step 2, worker 1, 0" and "..., 1".
class GrowingRollout {
 public:
  void write(int step, int worker) {
    const double begin = 60 * step;
    std::string text = rollout_log_line(begin + 1, "preprocessing_duration", 1, worker, step);
    for (int r = 0; r < 2; ++r) {
      text += rollout_log_line(begin + 3 + r, "async_rollout_request_complete", 2 + r, worker, step,
                               fmt::format(R"("request_id": "step {}, worker {}, {}", "turns": 1)", step, worker, r));
    }
    text += rollout_log_line(begin + 5, "async_generate_duration", 4, worker, step);
    text += rollout_log_line(begin + 6, "total_step_duration", 6, worker, step);
    folder_.write(fmt::format("exp/step_{}/worker_{}.jsonl", step, worker), text);
  }
  // Loads what was written, carries the selected slice, and waits until the analysis has arrived.
  void load() {
    const auto before = snapshot_;
    auto now = std::make_shared<Snapshot>(*load_snapshot({folder_.path()}, test_pool()));
    now->generation = before ? before->generation + 1 : 1;
    if (selection.has_slice()) selection.slice = find_slice(*now->trace, key_of(*before->trace, selection.slice)).value();
    snapshot_ = std::move(now);
    follow();
  }
  void follow() {
    const auto is_there = [&] { return state.rollout() && state.data().trace == snapshot_->trace && !state.busy(); };
    wait_until([&] {
      state.follow(snapshot_, selection);
      return is_there();
    });
  }
  RequestIx request_named(std::string_view id) const {
    RequestIx r = 0;
    while (r < state.rollout()->size() && state.rollout()->id(r) != id) ++r;
    REQUIRE(r < state.rollout()->size());
    return r;
  }
  std::string chosen() const {
    const Rollout& rollout = *state.rollout();
    const ChartQuestion& asked = state.question();
    std::string words = fmt::format("step {}", rollout.steps[asked.step.value()].step);
    if (asked.worker) words += fmt::format(", worker {}", rollout.workers[*asked.worker]);
    if (asked.request) words += fmt::format(", request \"{}\"", rollout.id(*asked.request));
    return words;
  }
  void look_at_worker_step(int step, int worker) {
    const Rollout& rollout = *state.rollout();
    const auto is_it = [&](const WorkerStep& each) {
      return rollout.steps[each.step].step == step && rollout.workers[each.worker] == worker;
    };
    const auto found = std::ranges::find_if(rollout.worker_steps, is_it);
    REQUIRE(found != rollout.worker_steps.end());
    state.look_at_worker_step(static_cast<std::uint32_t>(found - rollout.worker_steps.begin()));
  }

  Selection selection;
  RunState state{test_pool(), [] {}};

 private:
  TempDir folder_;
  std::shared_ptr<const Snapshot> snapshot_;
};

}  // namespace

TEST_CASE("run_state: the chosen step, worker and request stay the same when a run grows before them") {
  GrowingRollout run;
  for (const int step : {2, 3}) run.write(step, 1), run.write(step, 2);
  run.load();
  run.look_at_worker_step(2, 2);
  CHECK(run.chosen() == "step 2, worker 2");
  run.write(1, 0);
  run.load();
  CHECK(run.chosen() == "step 2, worker 2");
  run.state.look_at_request(run.request_named("step 3, worker 1, 1"));
  CHECK(run.chosen() == "step 3, worker 1, request \"step 3, worker 1, 1\"");
  run.write(3, 0);
  run.load();
  CHECK(run.chosen() == "step 3, worker 1, request \"step 3, worker 1, 1\"");
}

TEST_CASE("run_state: when a run grows, the selected slice does not replace what was chosen after it") {
  GrowingRollout run;
  for (const int worker : {0, 1}) run.write(1, worker), run.write(2, worker);
  run.load();
  run.selection.slice = run.state.rollout()->slice[run.request_named("step 1, worker 0, 1")];
  run.follow();
  CHECK(run.chosen() == "step 1, worker 0, request \"step 1, worker 0, 1\"");
  run.write(3, 0);
  run.load();
  CHECK(run.chosen() == "step 1, worker 0, request \"step 1, worker 0, 1\"");
  run.look_at_worker_step(2, 1);
  run.write(4, 0);
  run.load();
  CHECK(run.chosen() == "step 2, worker 1");
  run.selection.slice = kNone<SliceId>;
  run.follow();
  run.selection.slice = run.state.rollout()->slice[run.request_named("step 1, worker 0, 1")];
  run.follow();
  CHECK(run.chosen() == "step 1, worker 0, request \"step 1, worker 0, 1\"");
}
