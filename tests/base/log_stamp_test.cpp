// Time stamps as launchers and loggers write them. The expected numbers come from Python's datetime.
#include "core/base/text/log_stamp.h"

#include <doctest/doctest.h>

#include <string>

using namespace tv;

namespace {

constexpr Ns kTenOClock = 1'785'146'402 * kSecond;  // 2026-07-27T10:00:02Z
constexpr Ns kOneHour = 3600 * kSecond;

LogStamp stamp_told(std::string_view before) {
  CAPTURE(before);
  const auto found = stamp_before_message(before);
  REQUIRE(found);
  return *found;
}

}  // namespace

TEST_CASE("log stamps: stamps of launchers and loggers are parsed") {
  const struct {
    const char* before;
    Ns time;
    bool zoned, fraction;
  } cases[] = {
      {"2026-07-27T10:00:02.123456789Z (TaskRunner pid=1) ", kTenOClock + 123'456'789, true, true},
      {"2026-07-27T12:00:02.123456789+02:00 stdout F ", kTenOClock + 123'456'789, true, true},
      {"2026-07-27T02:00:02-0800 node7 run.sh[12]: ", kTenOClock, true, false},
      {"[2026-07-27 10:00:02,123] [INFO] ", kTenOClock + 123 * kMillisecond, false, true},
      {"2026-07-27 10:00:02,123 - root - INFO - ", kTenOClock + 123 * kMillisecond, false, true},
      {"[20260727 10:00:02][rank-7/8][INFO ] ", kTenOClock, false, false},
      {"20260727T100002Z ", kTenOClock, true, false},
      {"2026/07/27 10:00:02 main.go:12: ", kTenOClock, false, false},
      {"Mon 2026-07-27 10:00:02 UTC node7 ", kTenOClock, true, false},
      {"Mon Jul 27 10:00:02 2026[1,0]<stdout>:", kTenOClock, false, false},
      {"1785146402.123456 node7 run.sh[12]: ", kTenOClock + 123'456'000, true, true},
      {"[pod/train/worker] 2026-07-27T10:00:02Z ", kTenOClock, true, false},
      {"trainer-1  | 2026-07-27T10:00:02.5Z ", kTenOClock + 500 * kMillisecond, true, true},
      {"0: [2026-07-27T18:00:02+08:00] retraining/0 ", kTenOClock, true, false},
  };
  for (const auto& [before, time, zoned, fraction] : cases) {
    const LogStamp found = stamp_told(before);
    CHECK(found.time == time);
    CHECK(found.zoned == zoned);
    CHECK(found.fraction == fraction);
  }
}

TEST_CASE("log stamps: the program's stamp wins, unless a launcher gives the same moment more precisely") {
  // A launcher's UTC stamp before a local time in whole seconds.
  CHECK(stamp_told("2026-07-27T10:00:02.5Z [2026-07-27 18:00:01] ").time == kTenOClock + 500 * kMillisecond);
  CHECK(stamp_told("2026-07-27T10:00:02.5Z [2026-07-27 06:30:02] ").time == kTenOClock + 500 * kMillisecond);
  // A pipe that was full for a minute.
  CHECK(stamp_told("2026-07-27T10:01:02.5Z [2026-07-27 10:00:02] ").time == kTenOClock);
  CHECK(stamp_told("[2026-07-27 10:00:02] [2026-07-27 10:00:03] ").time == kTenOClock + kSecond);
  // Long text after the stamp is skipped.
  CHECK(stamp_told("2026-07-27T10:00:02Z " + std::string(100'000, '#') + "\r(TaskRunner pid=1) ").time == kTenOClock);
}

TEST_CASE("log stamps: a stamp without a year is the latest such day before the file was written") {
  const auto of = [](Ns written) { return stamp_before_message("Jul 27 10:00:02 node7 run.sh[12]: ", written); };
  CHECK(of(kTenOClock + kOneHour)->time == kTenOClock);
  CHECK(of(kTenOClock - 20 * kOneHour)->time == kTenOClock);  // allows for a zone ahead
  CHECK(of(kTenOClock - 48 * kOneHour)->time == kTenOClock - 365 * 24 * kOneHour);
  CHECK(of(kTenOClock + 300 * 24 * kOneHour)->time == kTenOClock);
  CHECK_FALSE(of(kTenOClock)->zoned);
  CHECK(stamp_before_message("Feb 29 10:00:02.5 ", kTenOClock)->time == 1'709'200'802 * kSecond + kSecond / 2);  // 2024
}

TEST_CASE("log stamps: invalid stamps are rejected, and only a well-formed zone is read") {
  for (const char* none :
       {"", "12:00:01 ", "2026-07-27 ", "version 2.6.0 20260727 ", "2026-13-27T10:00:02 ", "2026-07-27T25:00:02Z ",
        "Jul 27 10:00:02 node7 run.sh[12]: ", "a2026-07-27T10:00:02 ", "1785146402 ", "12026-07-27T10:00:02"}) {
    CAPTURE(none);
    CHECK_FALSE(stamp_before_message(none));
  }
  CHECK(stamp_told("2026-07-27T10:00:02 -1 ").time == kTenOClock);  // not a zone
  CHECK(stamp_at_front("2026-07-27T10:00:02+02:00 x")->length == sizeof("2026-07-27T10:00:02+02:00") - 1);
  CHECK(stamp_told("2026-07-27T12:00:02+02 x").time == kTenOClock + 2 * kOneHour - 2 * kOneHour);
}
