#include "core/view/menus/go_to.h"

#include <doctest/doctest.h>

#include "tests/support/gen_trace.h"
#include "tests/support/rollout_sketch.h"

using namespace tv;
using namespace tv::test;

namespace {

constexpr Ns kMinuteNs = 60 * kSecond, kHourNs = 60 * kMinuteNs;
constexpr Ns kJulyDay = 1'752'364'800 * kSecond;  // 2025-07-13 00:00 UTC

std::shared_ptr<Trace> day_trace(Ns origin, Ns length) {
  TraceSketch sketch;
  sketch.lane("rank 3", RowRule::Nest).lane("rank 31", RowRule::Nest);
  sketch.slice("rank 3", 0, length).slice("rank 31", 0, kSecond);
  auto trace = std::const_pointer_cast<Trace>(sketch.build());
  trace->origin_ns = origin;
  for (SourceInfo& source : trace->sources) source.wall_clock = true;
  return trace;
}

struct Asked {
  std::shared_ptr<Trace> trace = day_trace(kJulyDay + 14 * kHourNs, 2 * kHourNs);
  RunData data;
  TimeFormat format = TimeFormat::SinceBegin;

  GoToPlace place(std::string_view text) const {
    const auto found = find_place(*trace, data, time_style(*trace, format, nullptr), text);
    CAPTURE(text);
    REQUIRE_MESSAGE(found.ok(), (found.ok() ? std::string() : found.error().text()));
    return found.value();
  }
  std::string refused(std::string_view text) const {
    const auto found = find_place(*trace, data, time_style(*trace, format, nullptr), text);
    return found ? "found " + found.value().description : found.error().text();
  }
};

}  // namespace

TEST_CASE("go to: times count from the begin of the trace") {
  const Asked asked;
  CHECK(asked.place("12.5s").time == 12'500 * kMillisecond);
  CHECK(asked.place(" 500 ms ").time == 500 * kMillisecond);
  CHECK(asked.place("90").time == 90 * kSecond);
  CHECK(asked.place("1:02:03").time == kHourNs + 2 * kMinuteNs + 3 * kSecond);
  CHECK(asked.place("62:03.5").time == 62 * kMinuteNs + 3'500 * kMillisecond);
  CHECK(asked.refused("5h").find("beyond what was opened") != std::string::npos);
}

TEST_CASE("go to: wall clock times and dates lead to their place in the trace") {
  Asked asked;
  // Beyond the trace if read as a time since its begin.
  CHECK(asked.place("14:03:22").time == 3 * kMinuteNs + 22 * kSecond);
  CHECK(asked.place("14:03:22").description == "2025-07-13 14:03:22 UTC");
  CHECK(asked.place("2025-07-13 15:30:00").time == 90 * kMinuteNs);
  CHECK(asked.place("2025-07-13T15:30").time == 90 * kMinuteNs);
  CHECK(asked.refused("2025-07-14 15:30:00").find("2025-07-13 14:00:00 UTC to 2025-07-13 16:00:00") !=
        std::string::npos);
  // If the wall clock is shown, it takes precedence.
  asked.trace = day_trace(kJulyDay + kHourNs, 2 * kHourNs);
  CHECK(asked.place("1:10:00").time == 70 * kMinuteNs);
  asked.format = TimeFormat::WallClock;
  CHECK(asked.place("1:10:00").time == 10 * kMinuteNs);
  // Across midnight.
  asked.trace = day_trace(kJulyDay + 23 * kHourNs, 2 * kHourNs);
  CHECK(asked.place("00:30:00").time == 90 * kMinuteNs);
  asked.trace = day_trace(0, 2 * kHourNs);
  CHECK(asked.refused("14:03:22").find("beyond") != std::string::npos);
  CHECK(asked.refused("2025-07-13 15:30:00") == "what was opened has no wall clock");
}

TEST_CASE("go to: steps and lanes are found by name") {
  Asked asked;
  const std::vector<StepSource> sources = {
      {StepsOf::Marked,
       "rank 0",
       "ProfilerStep#",
       {{6, 6, {0, 100}, "ProfilerStep#6"}, {7, 7, {200, 300}, "ProfilerStep#7"}}}};
  asked.data.steps = std::make_shared<const std::vector<StepSource>>(sources);
  CHECK(asked.place("step 7").range == TimeRange{200, 300});
  CHECK(asked.place("Step 6").description == "ProfilerStep#6 of rank 0");
  CHECK(asked.place("ProfilerStep#7").range == TimeRange{200, 300});
  CHECK(asked.refused("step 8").find("there is no step 8") == 0);
  CHECK(asked.trace->lane(asked.place("rank 3").lane).name == "rank 3");
  CHECK(asked.trace->lane(asked.place("rank 31").lane).name == "rank 31");
  CHECK(asked.refused("rank 4").find("there is no time, step, lane or request \"rank 4\"") == 0);
  CHECK(asked.refused("  ").find("no place was entered") == 0);
}

TEST_CASE("go to: a request is found by its id or a unique prefix") {
  Asked asked;
  RolloutSketch sketch;
  sketch.file(67, 0)
      .request(1)
      .name("a3f1-01", "stop")
      .request(2)
      .name("a3f2-02", "stop")
      .request(3)
      .name("77", "stop");
  asked.data.rollout = sketch.build();
  CHECK(asked.data.rollout->id(*asked.place("a3f2").request) == "a3f2-02");
  CHECK(asked.data.rollout->id(*asked.place("a3f1-01").request) == "a3f1-01");
  CHECK(asked.data.rollout->id(*asked.place("77").request) == "77");
  CHECK(asked.refused("a3").find("2 requests begin with a3") == 0);
  CHECK(asked.place("78").time == 78 * kSecond);
}

TEST_CASE("go to: only well-formed clock times and dates are accepted") {
  CHECK(clock_time("0:00") == 0);
  CHECK(clock_time("1:02:03.25") == 3'723'250 * kMillisecond);
  for (const char* wrong :
       {"", ":", "1:", ":30", "1:2", "1:60", "1:60:00", "1:02:03:04", "a:00", "1:-2", "1:02 s", "rank:03"}) {
    CAPTURE(wrong);
    CHECK(!clock_time(wrong));
  }
  CHECK(dated_time("2025-07-13") == kJulyDay);
  for (const char* half_past_three : {"2025-07-13 15:30", "2025-07-13  15:30", "2025-07-13  15:30:00", "2025-07-13T15:30 "}) {
    CAPTURE(half_past_three);
    CHECK(dated_time(half_past_three) == kJulyDay + 15 * kHourNs + 30 * kMinuteNs);
  }
  CHECK(dated_time("2024-02-29 00:00:01") == 1'709'164'801 * kSecond);
  for (const char* far : {"2488-07-13 14:03", "9999-12-31", "0000-01-01 23:59", "1900-01-01"}) {  // in no trace, no overflow
    CAPTURE(far);
    const auto time = dated_time(far);
    REQUIRE(time);
    CHECK((*time > kLatestTime - 86'400 * kSecond || *time < kEarliestTime + 2 * 86'400 * kSecond));
  }
  for (const char* wrong :
       {"2025-07", "2025-13-01", "2025-07-32", "2025-02-29", "2025-06-31", "2025-07-13x", "2025-07-13 25:00:00", "2025/07/13"}) {
    CAPTURE(wrong);
    CHECK(!dated_time(wrong));
  }
}
