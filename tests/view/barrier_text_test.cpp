// The text for a barrier wait under the mouse: the worker waited for, and how long.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>

#include "core/analysis/rollout/rollout.h"
#include "core/session/load/load_job.h"
#include "core/view/details/slice_tooltip.h"
#include "core/view/details/wait_details.h"
#include "tests/support/gen_trace.h"
#include "tests/support/rollout_log_line.h"
#include "tests/support/temp_dir.h"

using namespace tv;
using namespace tv::test;

TEST_CASE("barrier_text: a wait names the slowest worker, whose own slices say that others waited") {
  const TempDir folder;
  for (int worker = 0; worker < 2; ++worker) {
    const int own = worker == 0 ? 2 : 10;
    const char* const request = worker == 0 ? R"("request_id": "aaaa1111")" : R"("request_id": "bbbb2222")";
    folder.write(fmt::format("exp/step_1/worker_{}.jsonl", worker),
                 rollout_log_line(own, "async_rollout_request_complete", own, worker, 1, request) +
                     rollout_log_line(own, "async_generate_duration", own, worker, 1) +
                     rollout_log_line(10, "barrier_wait_duration", 10 - own, worker, 1));
  }
  const auto loaded = load_snapshot({folder.path()}, test_pool());
  const auto made = make_rollout(loaded->trace, test_pool());
  const Rollout& rollout = *made;
  const Trace& trace = *loaded->trace;
  std::vector<std::string> said;
  for (std::size_t i = 0; i < trace.slices.size(); ++i) {
    const auto slice = id_at<SliceId>(i);
    const std::string text = barrier_text(rollout, slice);
    if (text.empty()) continue;
    said.push_back(std::string(trace.labels.name(trace.slices.label[i])) + ": " + text);
    const SliceTooltip tooltip = slice_tooltip(trace, &rollout, nullptr, slice);
    CHECK(std::ranges::any_of(
        tooltip.lines, [&](const SliceTooltip::Line& line) { return line.word == "barrier" && line.value == text; }));
  }
  std::ranges::sort(said);
  REQUIRE(said.size() == 3);
  CHECK(said[0] == "async_rollout_request_complete: 1 worker waited for its end, 8 s in all");
  CHECK(said[1].starts_with("barrier_wait_duration: the others waited for this worker: its req bbbb2222"));
  CHECK(said[2].starts_with("barrier_wait_duration: waited 8 s for worker 1: its req bbbb2222"));
}
