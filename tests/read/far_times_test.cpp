// Readers of text reject and report impossible times and durations, and keep the records around them.
#include <doctest/doctest.h>

#include <string>

#include "core/session/load/load_job.h"
#include "core/store/trace/trace_dump.h"
#include "tests/support/gen_trace.h"
#include "tests/support/temp_dir.h"

using namespace tv;
using namespace tv::test;

namespace {

std::uint64_t count(const Trace& trace, ProblemKind kind) {
  for (const ProblemCount& problem : trace.sources[0].problems.entries()) {
    if (problem.kind == kind) return problem.count;
  }
  return 0;
}

std::shared_ptr<const Trace> read_far(const std::string& name, const std::string& text) {
  const TempDir folder;
  const auto trace = load_snapshot({folder.write(name, text)}, test_pool())->trace;
  CHECK(check_invariants(*trace) == "");
  return trace;
}

std::string event(const std::string& ts, const std::string& dur) {
  return R"({"ph":"X","name":"a","pid":1,"tid":1,"ts":)" + ts + R"(,"dur":)" + dur + "},\n";
}

}  // namespace

TEST_CASE("far times: VizTracer's clock base is its object's own member") {
  const auto trace = read_far("viz.json", R"({"traceEvents":[)" + event("100", "5") + event("200", "5") +
                                              R"({}],"viztracer_metadata":{"baseTimeNanoseconds":1700000000000000000,)"
                                              R"("parts":{"baseTimeNanoseconds":5}}})");
  CHECK(trace->origin_ns + trace->extent.begin == 1'700'000'000'000'100'000);
}

TEST_CASE("far times: impossible times of trace events and of their base are reported") {
  const std::string near = event("100", "5"), last = R"({"ph":"X","name":"b","pid":1,"tid":1,"ts":200,"dur":5}]})";
  for (const char* base : {"0", "1700000000000000000", "9223372036854775807", "-9223372036854775807"}) {
    CAPTURE(base);
    const std::string head = std::string(R"({"baseTimeNanoseconds":)") + base + R"(,"traceEvents":[)" + "\n";
    const auto trace =
        read_far("a.json", head + near + event("9223372036854774", "5") + event("-5000000000000000", "5") +
                               event("300", "9223372036854774") + last);
    CHECK(count(*trace, ProblemKind::bad_time) == 2);
    CHECK(count(*trace, ProblemKind::missing_duration) == 1);
    CHECK(trace->slices.size() == 3);
    CHECK(trace->extent.length() == 200 * kMicrosecond);
    const bool far_base = std::string_view(base).size() > 19 || std::string_view(base).starts_with('9');
    CHECK(count(*trace, ProblemKind::out_of_range) == (far_base ? 1 : 0));
    CHECK(trace->lost() == (far_base ? 3 : 2));
  }
}

TEST_CASE("far times: times that are impossible even when divided by ten are not read as Ray's, which are ten times too large") {
  const auto first = [](const std::string& ts) {
    return read_far("a.json", R"({"traceEvents":[)" + event(ts, "5") + R"({"ph":"X","name":"b","pid":1,"tid":1,"ts":200,"dur":5}]})");
  };
  CHECK(count(*first("17000000000000000"), ProblemKind::scaled_times) == 1);  // 2023, times ten
  for (const char* ts : {"9223372036854774", "40000000000000000"}) {
    const auto trace = first(ts);
    CHECK(count(*trace, ProblemKind::scaled_times) == 0);
    CHECK(count(*trace, ProblemKind::bad_time) == 1);
    CHECK(trace->lost() == 1);
    CHECK(trace->extent.length() == 5 * kMicrosecond);
  }
}

TEST_CASE("far times: impossible stamps and durations of rollouts are reported") {
  const auto line = [](const std::string& stamp, const std::string& seconds) {
    return R"({"timestamp": ")" + stamp + R"(", "event": "turn_start", "duration_sec": )" + seconds +
           R"(, "extra": {"request_id": "r"}, "workid": 0, "step": 1})" + "\n";
  };
  const auto trace =
      read_far("step_1/worker_0.jsonl", line("2025-07-13T11:04:25", "2") + line("2025-07-13T11:04:26", "9000000000") +
                                            line("1700-01-01T00:00:00", "1") + line("2261-01-01T00:00:00", "1") +
                                            line("2025-07-13T11:04:27", "1"));
  CHECK(count(*trace, ProblemKind::out_of_range) == 1);
  CHECK(count(*trace, ProblemKind::bad_time) == 2);
  CHECK(trace->slice_count == 2);  // a line with an invalid duration is an instant
  CHECK(trace->extent.length() == 4 * kSecond);
}

TEST_CASE("far times: impossible durations and iterations of training logs are reported") {
  const auto of_megatron = [](const std::string& iteration, const std::string& elapsed) {
    return " iteration " + iteration + "/ 100 | elapsed time per iteration (ms): " + elapsed + " | lm loss: 1.0E+00 |\n";
  };
  const auto megatron = read_far("megatron.log", of_megatron("1", "100.0") + of_megatron("2", "1e300") + of_megatron("3", "nan") +
                                                     of_megatron("4", "-5.0") + of_megatron("99999999999999999999", "100.0") +
                                                     of_megatron("5", "100.0"));
  CHECK(count(*megatron, ProblemKind::out_of_range) == 4);
  CHECK(megatron->lost() == 4);
  CHECK(megatron->slice_count == 2);

  const auto of_verl = [](int step, const std::string& gen) {
    return "step:" + std::to_string(step) + " - timing_s/gen:" + gen + " - timing_s/step:2.0 - timing_s/other:-1.0\n";
  };
  const auto verl = read_far("verl.log", of_verl(1, "1.0") + of_verl(2, "1e300") + of_verl(3, "-1.0") + of_verl(4, "nan") + of_verl(5, "1.5"));
  CHECK(count(*verl, ProblemKind::out_of_range) == 3);
  CHECK(verl->lost() == 3);
}
