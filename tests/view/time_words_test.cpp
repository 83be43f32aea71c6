#include "core/view/words/time_words.h"

#include <doctest/doctest.h>

#include "core/view/timeline/time_axis.h"
#include "tests/support/gen_trace.h"

using namespace tv;
using namespace tv::test;

namespace {

constexpr Ns kHour = 3600 * kSecond;
// 2025-07-13 14:03:22 UTC
constexpr Ns kJuly = 1'752'415'402 * kSecond;

std::shared_ptr<Trace> trace_of(Ns origin, Ns length, ClockEvidence evidence = ClockEvidence::None, Ns offset = 0) {
  TraceSketch sketch;
  sketch.lane("t", RowRule::Nest).slice("t", 0, length);
  auto trace = std::const_pointer_cast<Trace>(sketch.build());
  trace->origin_ns = origin;
  for (SourceInfo& source : trace->sources) {
    source.wall_clock = origin >= kYear2001;
    source.clock_fit.evidence = evidence;
    source.clock_fit.offset = offset;
  }
  return trace;
}

}  // namespace

TEST_CASE("time words: hours, minutes and seconds where the trace is long") {
  const auto shorter = trace_of(0, 90 * kSecond), longer = trace_of(0, 26 * kHour);
  const TimeWords few = time_words(*shorter, TimeFormat::SinceBegin, nullptr);
  CHECK(time_text(few, 12'500 * kMillisecond, 100 * kMillisecond) == "12.5 s");
  CHECK(!has_format(*shorter, TimeFormat::Seconds, false));  // the same
  const TimeWords many = time_words(*longer, TimeFormat::SinceBegin, nullptr);
  CHECK(time_text(many, 3'723 * kSecond, kSecond) == "1:02:03");
  CHECK(time_text(many, 3'723'250 * kMillisecond, 10 * kMillisecond) == "1:02:03.25");
  CHECK(time_text(many, 25 * kHour + 3 * kSecond, kSecond) == "1d 01:00:03");
  CHECK(time_text(many, -90 * kSecond, kSecond) == "-0:01:30");
  CHECK(time_text(many, 0, kSecond) == "0:00:00");
  CHECK(time_text(many, 1'500, 1) == "1.500 µs");
  const TimeWords seconds = time_words(*longer, TimeFormat::Seconds, nullptr);
  CHECK(time_text(seconds, 3'723 * kSecond, kSecond) == "3723 s");
}

TEST_CASE("time words: the wall clock, with what is known of its zone") {
  const auto utc = trace_of(kJuly, 10 * kSecond);
  CHECK(has_format(*utc, TimeFormat::WallClock, false));
  const TimeWords words = time_words(*utc, TimeFormat::WallClock, nullptr);
  CHECK(words.of == "UTC");
  CHECK(time_text(words, 0, kSecond) == "2025-07-13 14:03:22");
  CHECK(time_text(words, 1'500 * kMillisecond, 100 * kMillisecond) == "2025-07-13 14:03:23.5");
  CHECK(time_sentence(words, 10 * kHour, kSecond) == "2025-07-14 00:03:22 UTC");

  const auto unknown = trace_of(kJuly, kSecond, ClockEvidence::NoZone);
  CHECK(time_words(*unknown, TimeFormat::WallClock, nullptr).of == "local time, zone unknown");
  // Logs of UTC+8 were moved by 8 h: their readers know their own time.
  const auto told = trace_of(kJuly, kSecond, ClockEvidence::Zone, -8 * kHour);
  CHECK(time_sentence(time_words(*told, TimeFormat::WallClock, nullptr), 0, kSecond) == "2025-07-13 22:03:22 UTC+8");

  const auto booted = trace_of(5 * kSecond, kSecond);
  CHECK(!has_format(*booted, TimeFormat::WallClock, false));
  CHECK(time_words(*booted, TimeFormat::WallClock, nullptr).format == TimeFormat::SinceBegin);
  // If runs were moved by different amounts, no clock is right for all.
  const auto moved = trace_of(kJuly, kSecond);
  moved->sources.push_back(moved->sources.front());
  moved->sources.back().aligned = kHour;
  CHECK(!has_format(*moved, TimeFormat::WallClock, false));
}

TEST_CASE("time words: from the begin of a step") {
  const auto trace = trace_of(0, 90 * kSecond);
  const StepTime step{"step 67", 40 * kSecond};
  CHECK(!has_format(*trace, TimeFormat::SinceStep, false));
  const TimeWords words = time_words(*trace, TimeFormat::SinceStep, &step);
  CHECK(time_sentence(words, 43'200 * kMillisecond, 100 * kMillisecond) == "+3.2 s in step 67");
  CHECK(time_sentence(words, 39 * kSecond, kSecond) == "-1 s in step 67");
  CHECK(time_words(*trace, TimeFormat::SinceStep, nullptr).format == TimeFormat::SinceBegin);
  for (int f = 0; f < static_cast<int>(TimeFormat::kCount); ++f) {
    CHECK(time_format(name(static_cast<TimeFormat>(f))) == static_cast<TimeFormat>(f));
  }
  CHECK(time_format(" wall clock ") == TimeFormat::WallClock);
  CHECK(time_format("") == std::nullopt);
}
