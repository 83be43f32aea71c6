// What a rollout log holds beyond its slices, from text to RolloutLog, and the request as charts see it.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "core/analysis/rollout/rollout.h"
#include "core/read/verl/rollout_span.h"
#include "core/session/load/load_job.h"
#include "tests/io/memory_stream.h"
#include "tests/support/gen_trace.h"
#include "tests/support/temp_dir.h"

using namespace tv;
using namespace tv::test;

namespace {

std::string line(double second, const char* event, const std::string& duration, const std::string& extra = {}) {
  char stamp[64];
  std::snprintf(stamp, sizeof stamp, "2025-07-13T11:04:%09.6f", second);
  return std::string(R"({"timestamp": ")") + stamp + R"(", "event": ")" + event + '"' +
         (duration.empty() ? "" : R"(, "duration_sec": )" + duration) +
         (extra.empty() ? "" : R"(, "extra": {)" + extra + "}") + R"(, "workid": 3, "step": 7})" + "\n";
}

// One request of two turns with a tool call between them, and one that is in flight when the log ends.
std::string two_turns() {
  const std::string a = R"("request_id": "aaaa")", b = R"("request_id": "bbbb")";
  std::string text = line(10, "preprocessing_duration", "2.5");
  text += line(10.1, "request_start", "", a + R"(, "initial_prompt_length": 335)");
  text += line(10.1, "request_start", "", b);
  text += line(10.2, "pending_state_handling", "0.1", a);
  text += line(11.15, "turn_engine_call", "0.9", a + R"(, "turn": 0, "generated_tokens": 50)");
  text += line(11.2, "turn_end", "1.0", a + R"(, "turn": 0)");
  text += line(12.2, "tool_execution", "0.75", a + R"(, "turn": 1)");
  text += line(12.2, "tool_calling_state", "1.0", a + R"(, "turn": 1)");
  text += line(12.5, "turn_engine_call", "2.0", b + R"(, "turn": 0, "generated_tokens": 7)");
  text += line(13.15, "turn_engine_call", "0.9", a + R"(, "turn": 1, "generated_tokens": 20)");
  text += line(13.2, "turn_end", "1.0", a + R"(, "turn": 1)");
  text += line(13.2, "main_loop", "3.1", a);
  text += line(13.7, "reward_calculation", "0.5", a);
  text += line(
      13.8, "async_rollout_request_complete", "3.700000000123",
      a + R"(, "batch_data_id": 12, "finish_reason": "FinishReasonTypeEnum.STOP", "turns": 2, "user_turns": 1, )"
          R"("turns_with_tools": 1, "response_length": 90, "actual_response_tokens": 70, "total_sequence_length": 425, )"
          R"("turn_timings": [{"turn": 0, "total_duration": 1, "pre_process_duration": 0.001, )"
          R"("engine_call_duration": 0.9, "post_process_duration": 0.002, "tool_parsing_duration": 0}, )"
          R"({"turn": 1, "engine_call_duration": 0.9, "post_process_duration": 0.004}])");
  text += line(14, "barrier_wait_duration", "0.2");
  return text;
}

std::shared_ptr<const Rollout> load(const TempDir& folder) {
  return make_rollout(load_snapshot({folder.path()}, test_pool())->trace, test_pool());
}

std::vector<Ns> phases_of(const Rollout& rollout, RequestIx r) {
  std::vector<Ns> phases;
  for (const auto& column : rollout.exclusive) phases.push_back(column[r]);
  return phases;
}

}  // namespace

TEST_CASE("rollout_log: a request has its numbers as written, its turns and the sums of its lines") {
  const TempDir folder;
  folder.write("exp/step_7/worker_3.jsonl", two_turns());
  const auto rollout = load(folder);
  const RolloutLog& log = rollout->log();
  REQUIRE(log.files.size() == 1);
  CHECK(log.files[0].step == 7);
  CHECK(log.files[0].worker == 3);
  CHECK(log.files[0].first_seconds == 2.5);
  REQUIRE(log.requests.size() == 2);
  const RolloutRequest& request = log.requests[0];
  CHECK(request.complete);
  CHECK(request.id == "aaaa");
  CHECK(log.text(request.finish) == "STOP");
  CHECK(request.seconds == 3.700000000123);
  CHECK(request.batch_id == 12);
  CHECK(request.turns == 2);
  CHECK(request.user_turns == 1);
  CHECK(request.turns_with_tools == 1);
  CHECK(request.prompt_tokens == 335);
  CHECK(request.response_length == 90);
  CHECK(request.response_tokens == 70);
  CHECK(request.total_length == 425);
  const auto sum = [&](RolloutEvent event) { return request.seconds_of[static_cast<std::size_t>(event)]; };
  CHECK(sum(RolloutEvent::turn_engine_call) == 0.9 + 0.9);
  CHECK(sum(RolloutEvent::main_loop) == 3.1);
  CHECK(sum(RolloutEvent::tool_execution) == 0.75);
  CHECK(sum(RolloutEvent::tool_calling_state) == 1.0);
  CHECK(sum(RolloutEvent::finalization) == 0);
  REQUIRE(request.turn_count == 2);
  const RolloutTurn& second = log.turns[request.first_turn + 1];
  CHECK(second.turn == 1);
  CHECK(second.engine_call == 0.9);
  CHECK(second.post_process == 0.004);
  CHECK(second.pre_process == 0);
  CHECK(second.tokens == 20);
  CHECK(log.turns[request.first_turn].tokens == 50);
  // The first line begins at 10 - 2.5 s: that is the trace's 0.
  CHECK(second.engine_end == 13'150'000'000 - 7'500'000'000);

  const RolloutRequest& open = log.requests[1];
  CHECK(!open.complete);
  CHECK(open.id == "bbbb");
  REQUIRE(open.turn_count == 1);
  CHECK(log.turns[open.first_turn].tokens == 7);
  CHECK(rollout->in_flight == std::vector<std::uint32_t>{1});

  REQUIRE(log.phases.size() == 2);
  CHECK(log.text(log.phases[1].event) == "barrier_wait_duration");
  CHECK(log.phases[1].seconds == 0.2);
}

// verl measures each duration on its own, so the engine's call may begin before the request whose only turn it is.
TEST_CASE("rollout: an engine call that begins before its request counts for it") {
  const TempDir folder;
  std::string text;
  const auto request = [&](const std::string& id, double begin, double end) {
    const std::string of = R"("request_id": ")" + id + '"';
    const auto seconds = [&](double more) { return fmt::format("{:.9f}", end - begin + more); };
    text += line(begin, "request_start", "", of);
    text += line(end, "turn_engine_call", seconds(3e-6), of + R"(, "turn": 0)");
    text += line(end, "turn_end", seconds(4e-6), of + R"(, "turn": 0)");
    text += line(end + 2e-6, "async_rollout_request_complete", seconds(0), of + R"(, "turns": 1)");
  };
  request("aaaa", 10, 13);
  request("bbbb", 13.000001, 15);  // in the slot of the first, which has just ended
  folder.write("exp/step_7/worker_3.jsonl", text);
  const auto rollout = load(folder);
  REQUIRE(rollout->size() == 2);
  for (RequestIx r = 0; r < 2; ++r) {
    CAPTURE(r);
    const Ns length = rollout->end[r] - rollout->begin[r];
    CHECK(rollout->phase(r, RequestPhase::Engine) > length - 10 * kMicrosecond);
  }
}

TEST_CASE("rollout: exclusive phases add up to the request's length, and its slices lead to it") {
  const TempDir folder;
  folder.write("exp/step_7/worker_3.jsonl", two_turns());
  const auto rollout = load(folder);
  REQUIRE(rollout->size() == 1);
  // engine 0.9 + 0.9, tool 1.0 (0.75 of it execution), reward 0.5, pending 0.1, processing: the rest of both turns, 0.1
  // each; other: 0.1 after the reward.
  const std::vector<Ns> phases = phases_of(*rollout, 0);
  CHECK(phases[0] == 1'800'000'000);
  CHECK(phases[1] == 1'000'000'000);
  CHECK(phases[2] == 500'000'000);
  CHECK(phases[3] == 200'000'000);
  CHECK(phases[4] == 100'000'000);
  CHECK(std::accumulate(phases.begin(), phases.end(), Ns{0}) == rollout->end[0] - rollout->begin[0]);
  const Trace& trace = *rollout->trace;
  REQUIRE(rollout->slice[0] != kNone<SliceId>);
  CHECK(trace.name_of(rollout->slice[0]) == "async_rollout_request_complete");
  std::size_t mine = 0;
  for (std::size_t i = 0; i < trace.slices.size(); ++i) {
    const auto of = rollout->of_slice(id_at<SliceId>(i));
    const bool request_lane = trace.lane(trace.row(trace.row_of(id_at<SliceId>(i))).lane).kind == LaneKind::Requests;
    if (of) CHECK(request_lane);
    mine += of.has_value();
  }
  CHECK(mine == 10);  // aaaa's intervals; bbbb's engine call belongs to no complete request
}

TEST_CASE("rollout: steps are in order of number, folders are runs, and an appended log is a run of its own") {
  const TempDir folder;
  const std::string again = two_turns() + line(30, "preprocessing_duration", "1") +
                            line(33, "async_rollout_request_complete", "2", R"("request_id": "cccc", "turns": 0)");
  folder.write("b/step_10/worker_0.jsonl", two_turns());
  folder.write("b/step_9/worker_0.jsonl", again);
  folder.write("a/step_10/worker_2.jsonl", two_turns());
  const auto rollout = load(folder);
  CHECK(rollout->runs == std::vector<std::string>{"a", "b", "b (run 2)"});
  REQUIRE(rollout->steps.size() == 4);
  CHECK(rollout->step_name(0) == "a, step 10");
  CHECK(rollout->step_name(1) == "b, step 9");
  CHECK(rollout->step_name(2) == "b, step 10");
  CHECK(rollout->step_name(3) == "b (run 2), step 9");
  CHECK(rollout->workers == std::vector<std::int32_t>{3});  // the lines outrank the names
  REQUIRE(rollout->size() == 4);
  CHECK(rollout->id(3) == "cccc");
  CHECK(rollout->turns[3] == 0);
  CHECK(rollout->tokens[3] == -1);
  CHECK(rollout->seconds[3] == 2);
}

TEST_CASE("rollout_log: an infinite duration becomes NaN") {
  const TempDir folder;
  folder.write("step_1/worker_0.jsonl", line(1, "preprocessing_duration", "Infinity") + line(2, "preprocessing_duration", "-Infinity") +
                                            line(3, "preprocessing_duration", "1e999") +
                                            line(4, "async_rollout_request_complete", "Infinity", R"("request_id": "x")"));
  const auto rollout = load(folder);
  REQUIRE(!rollout->log().phases.empty());
  for (const RolloutPhase& phase : rollout->log().phases) CHECK(std::isnan(phase.seconds));
  REQUIRE(rollout->log().requests.size() == 1);
  CHECK(std::isnan(rollout->log().requests[0].seconds));
}

TEST_CASE("rollout_log: odd values are missing, or as json.loads reads them") {
  const TempDir folder;
  const std::string id = R"("request_id": "x)";
  std::string text = line(1, "async_rollout_request_complete", "NaN", id + R"(1", "turns": "two", "turn_timings": 5)");
  text += line(2, "async_rollout_request_complete", "", id + R"(2", "turns": 1.5, "turn_timings": [3, {"turn": 4}])");
  text +=
      line(3, "async_rollout_request_complete", "-1e-6", id + R"(3", "batch_data_id": null, "response_length": -4)");
  text += line(4, "async_rollout_request_complete", "1", id + R"(4")") +
          line(5, "async_rollout_request_complete", "9", id + R"(4")");
  folder.write("step_1/worker_0.jsonl", text);
  const auto rollout = load(folder);
  const RolloutLog& log = rollout->log();
  REQUIRE(log.requests.size() == 4);
  CHECK(std::isnan(log.requests[0].seconds));
  CHECK(log.requests[0].turns == -1);
  CHECK(log.requests[1].seconds == 0);
  CHECK(log.requests[1].turns == -1);
  REQUIRE(log.requests[1].turn_count == 1);
  CHECK(log.turns[log.requests[1].first_turn].turn == 4);
  CHECK(log.requests[2].seconds == -1e-6);
  CHECK(log.requests[2].batch_id == -1);
  CHECK(log.requests[2].response_length == -1);
  CHECK(log.requests[3].seconds == 1);  // the first of two with the same id
  CHECK(rollout->size() == 3);          // without the one that has no length
  for (RequestIx r = 0; r < rollout->size(); ++r) CHECK(rollout->end[r] >= rollout->begin[r]);
}

TEST_CASE("rollout_log: of several engine calls in one turn the last one counts, for each entry of that turn") {
  const TempDir folder;
  const std::string id = R"("request_id": "x")";
  std::string text;
  double at = 1;
  for (const auto& [turn, tokens] : {std::pair(1, 10), std::pair(0, 5), std::pair(1, 30), std::pair(9, 7)}) {
    text += line(at++, "turn_engine_call", "0.5", id + fmt::format(R"(, "turn": {}, "generated_tokens": {})", turn, tokens));
  }
  text += line(9, "async_rollout_request_complete", "8", id + R"(, "turn_timings": [{"turn": 1}, {"turn": 0}, {"turn": 1}, {"turn": 2}])");
  folder.write("step_1/worker_0.jsonl", text);
  const auto rollout = load(folder);
  const RolloutLog& log = rollout->log();
  REQUIRE(log.turns.size() == 4);
  for (const auto& [turn, tokens] : {std::pair(0, 30), std::pair(1, 5), std::pair(2, 30), std::pair(3, -1)}) {
    CHECK(log.turns[static_cast<std::size_t>(turn)].tokens == tokens);
  }
  CHECK(log.turns[0].engine_end == log.turns[2].engine_end);
  CHECK(log.turns[3].engine_end == -1);
}

TEST_CASE("rollout_log: a file's run folder is found from its path, and names its run") {
  CHECK(rollout_run("verl_rollout", "/logs/exp/step_3/worker_0.jsonl") == "/logs/exp");
  CHECK(rollout_run("chrome_json", "/logs/exp/step_3/worker_0.jsonl") == "");
  CHECK(rollout_run_name("/logs/exp", 0) == "exp");
  CHECK(rollout_run_name("/logs/exp", 1) == "exp (run 2)");
  CHECK(rollout_run_name("", 0) == "rollout");
  CHECK(rollout_run_folder("/logs/exp/step_3/worker_0.jsonl") == "/logs/exp");
  CHECK(rollout_run_folder("/logs/exp/worker_0.jsonl") == "/logs/exp");
  CHECK(rollout_run_folder("step_3/worker_0.jsonl") == "");
  CHECK(rollout_run_folder("worker_0.jsonl") == "");
}

TEST_CASE("rollout_log: the span comes from the first and the last line, at any offset, with or without a newline") {
  const std::string first = line(10, "preprocessing_duration", "2.5"), last = line(50, "reward_duration", "1");
  for (const std::size_t last_begins : {500u, (64u << 10) - 10, 100u << 10, (128u << 10) - 10, 200u << 10}) {
    CAPTURE(last_begins);
    std::string text = first;
    const std::string request = line(20, "tool_execution", "0.1", R"("request_id": "aaaa")");
    while (text.size() + 2 * request.size() <= last_begins) text += request;
    text += line(20, "tool_execution", "0.1",
                 R"("request_id": "aaaa)" + std::string(last_begins - text.size() - request.size(), 'a') + '"');
    REQUIRE(text.size() == last_begins);
    text += last;
    for (const bool ended : {true, false}) {
      CAPTURE(ended);
      if (!ended) text.pop_back();
      const auto span = rollout_span(MemoryStream::plain_file(text));
      REQUIRE(span);
      CHECK(span->end - span->begin == 42'500 * kMillisecond);
    }
  }
}
