#include "core/view/words/time_style.h"

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

TEST_CASE("time style: long traces show hours, minutes and seconds") {
  const auto shorter = trace_of(0, 90 * kSecond), longer = trace_of(0, 26 * kHour);
  const TimeStyle few = time_style(*shorter, TimeFormat::SinceBegin, nullptr);
  CHECK(time_text(few, 12'500 * kMillisecond, 100 * kMillisecond) == "12.5 s");
  CHECK(!has_format(*shorter, TimeFormat::Seconds, false));  // the same as since the begin
  const TimeStyle many = time_style(*longer, TimeFormat::SinceBegin, nullptr);
  CHECK(time_text(many, 3'723 * kSecond, kSecond) == "1:02:03");
  CHECK(time_text(many, 3'723'250 * kMillisecond, 10 * kMillisecond) == "1:02:03.25");
  CHECK(time_text(many, 25 * kHour + 3 * kSecond, kSecond) == "1d 01:00:03");
  CHECK(time_text(many, -90 * kSecond, kSecond) == "-0:01:30");
  CHECK(time_text(many, 0, kSecond) == "0:00:00");
  CHECK(time_text(many, 1'500, 1) == "1.500 µs");
  const TimeStyle seconds = time_style(*longer, TimeFormat::Seconds, nullptr);
  CHECK(time_text(seconds, 3'723 * kSecond, kSecond) == "3723 s");
}

TEST_CASE("time style: the wall clock is shown with what is known of its time zone") {
  const auto utc = trace_of(kJuly, 10 * kSecond);
  CHECK(has_format(*utc, TimeFormat::WallClock, false));
  const TimeStyle style = time_style(*utc, TimeFormat::WallClock, nullptr);
  CHECK(style.of == "UTC");
  CHECK(time_text(style, 0, kSecond) == "2025-07-13 14:03:22");
  CHECK(time_text(style, 1'500 * kMillisecond, 100 * kMillisecond) == "2025-07-13 14:03:23.5");
  CHECK(time_sentence(style, 10 * kHour, kSecond) == "2025-07-14 00:03:22 UTC");

  const auto unknown = trace_of(kJuly, kSecond, ClockEvidence::NoZone);
  CHECK(time_style(*unknown, TimeFormat::WallClock, nullptr).of == "local time, zone unknown");
  // Logs written in UTC+8 were moved by 8 h, but are shown in the time of their readers.
  const auto told = trace_of(kJuly, kSecond, ClockEvidence::Zone, -8 * kHour);
  CHECK(time_sentence(time_style(*told, TimeFormat::WallClock, nullptr), 0, kSecond) == "2025-07-13 22:03:22 UTC+8");

  const auto booted = trace_of(5 * kSecond, kSecond);
  CHECK(!has_format(*booted, TimeFormat::WallClock, false));
  CHECK(time_style(*booted, TimeFormat::WallClock, nullptr).format == TimeFormat::SinceBegin);
  // If runs were moved by different amounts, no clock is right for all.
  const auto moved = trace_of(kJuly, kSecond);
  moved->sources.push_back(moved->sources.front());
  moved->sources.back().aligned.by = kHour;
  CHECK(!has_format(*moved, TimeFormat::WallClock, false));
}

TEST_CASE("time style: times can count from the begin of a step") {
  const auto trace = trace_of(0, 90 * kSecond);
  const StepTime step{"step 67", 40 * kSecond};
  CHECK(!has_format(*trace, TimeFormat::SinceStep, false));
  const TimeStyle style = time_style(*trace, TimeFormat::SinceStep, &step);
  CHECK(time_sentence(style, 43'200 * kMillisecond, 100 * kMillisecond) == "+3.2 s in step 67");
  CHECK(time_sentence(style, 39 * kSecond, kSecond) == "-1 s in step 67");
  CHECK(time_style(*trace, TimeFormat::SinceStep, nullptr).format == TimeFormat::SinceBegin);
  for (int f = 0; f < static_cast<int>(TimeFormat::kCount); ++f) {
    CHECK(time_format(name(static_cast<TimeFormat>(f))) == static_cast<TimeFormat>(f));
  }
  CHECK(time_format(" wall clock ") == TimeFormat::WallClock);
  CHECK(time_format("") == std::nullopt);
}
