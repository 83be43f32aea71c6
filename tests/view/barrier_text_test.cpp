// The text for a barrier wait under the mouse: the worker waited for, and how long.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>

#include "core/analysis/rollout/rollout.h"
#include "core/session/load/load_job.h"
#include "core/view/details/slice_tooltip.h"
#include "core/view/details/wait_details.h"
#include "tests/support/gen_trace.h"
#include "tests/support/temp_dir.h"

using namespace tv;
using namespace tv::test;

namespace {

std::string barrier_line(int second, std::string_view event, double seconds, int worker,
                         std::string_view request = {}) {
  const std::string extra = request.empty() ? std::string() : fmt::format(R"("extra":{{"request_id":"{}"}},)", request);
  return fmt::format(
             R"({{"timestamp":"2026-05-01T09:00:{:02}.000000","event":"{}","duration_sec":{},{}"workid":{},"step":1}})",
             second, event, seconds, extra, worker) +
         "\n";
}

}  // namespace

TEST_CASE("barrier_text: a wait names the slowest worker, whose own slices say that others waited") {
  const TempDir folder;
  folder.write("exp/step_1/worker_0.jsonl", barrier_line(2, "async_rollout_request_complete", 2, 0, "aaaa1111") +
                                                barrier_line(2, "async_generate_duration", 2, 0) +
                                                barrier_line(10, "barrier_wait_duration", 8, 0));
  folder.write("exp/step_1/worker_1.jsonl", barrier_line(10, "async_rollout_request_complete", 10, 1, "bbbb2222") +
                                                barrier_line(10, "async_generate_duration", 10, 1) +
                                                barrier_line(10, "barrier_wait_duration", 0, 1));
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
