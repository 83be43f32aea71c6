#include "core/store/clock/clock_offset.h"

#include <doctest/doctest.h>

using namespace tv;

TEST_CASE("clock_offset: a pattern matches the end of a path, from the beginning of a part") {
  struct Case {
    const char *pattern, *path;
    bool matches;
  };
  const Case cases[] = {
      {"worker_3.jsonl", "/logs/exp/step_1/worker_3.jsonl", true},
      {"worker_3.jsonl", "worker_3.jsonl", true},
      {"worker_3.jsonl", "/logs/exp/step_1/worker_13.jsonl", false},
      {"orker_3.jsonl", "/logs/exp/step_1/worker_3.jsonl", false},  // not the beginning of a part
      {"worker_3.jsonl", "/logs/worker_3.jsonl/other", false},      // not the end
      {"worker_?.jsonl", "exp/worker_3.jsonl", true},
      {"worker_?.jsonl", "exp/worker_13.jsonl", false},
      {"worker_*.jsonl", "exp/worker_13.jsonl", true},
      {"hostB/*", "/logs/hostB/step_1/worker_3.jsonl", true},
      {"hostB/*", "/logs/hostA/step_1/worker_3.jsonl", false},
      {"hostB/*", "/logs/ghostB/step_1/worker_3.jsonl", false},
      {"exp/step_*/worker_3.jsonl", "/logs/exp/step_12/worker_3.jsonl", true},
      {"/logs/exp/a.json", "/logs/exp/a.json", true},
      {"/logs/exp/a.json", "/all/logs/exp/a.json", false},
      {"*", "anything/at all", true},
      {"**", "anything", true},
      {"*a*b*", "/x/aab", true},
      {"*a*b", "/x/aaba", false},
      {"", "/x", false},
  };
  for (const Case& c : cases) {
    CAPTURE(std::string(c.pattern));
    CAPTURE(std::string(c.path));
    CHECK(matches_path_end(c.pattern, c.path) == c.matches);
  }
}

TEST_CASE("clock_offset: the first pattern that matches is used") {
  const ClockOffsets offsets{{"step_2/worker_1.jsonl", 5}, {"worker_1.jsonl", 7}, {"hostB/*", -3}};
  CHECK(clock_offset_of(offsets, "hostB/step_2/worker_1.jsonl") == 5);
  CHECK(clock_offset_of(offsets, "hostB/step_3/worker_1.jsonl") == 7);
  CHECK(clock_offset_of(offsets, "hostB/step_3/worker_2.jsonl") == -3);
  CHECK(clock_offset_of(offsets, "hostA/step_3/worker_2.jsonl") == 0);
  CHECK(clock_offset_of({}, "a") == 0);
}

TEST_CASE("clock_offset: offsets are parsed as people write them, and survive formatting to the nanosecond") {
  CHECK(parse_clock_offset("worker_3.jsonl=+1.5s").value() == ClockOffset{"worker_3.jsonl", 1'500'000'000});
  CHECK(parse_clock_offset("hostB/*=-250ms").value() == ClockOffset{"hostB/*", -250'000'000});
  CHECK(parse_clock_offset("a=2").value() == ClockOffset{"a", 2'000'000'000});  // seconds
  CHECK(parse_clock_offset("x=1/w.jsonl=10us").value() == ClockOffset{"x=1/w.jsonl", 10'000});
  CHECK(format_clock_offset(Ns{0}) == "+0s");
  CHECK(format_clock_offset(Ns{-3'249'921'000}) == "-3.249921s");
  CHECK(format_clock_offset(Ns{42'213'000}) == "+42.213ms");
  CHECK(parse_clock_offset("megatron_jst.log=-9h").value() == ClockOffset{"megatron_jst.log", -9 * 3'600 * kSecond});
  CHECK(parse_clock_offset("a=5h45m").value() == ClockOffset{"a", 20'700 * kSecond});
  CHECK(format_clock_offset(Ns{-9 * 3'600 * kSecond}) == "-9h");
  CHECK(format_clock_offset(Ns{20'700 * kSecond}) == "+5h45m");
  CHECK(format_clock_offset(Ns{-900 * kSecond}) == "-15m");
  CHECK(format_clock_offset(Ns{90 * kSecond}) == "+90s");
  CHECK(format_clock_offset(ClockOffset{"hostB/*", -250'000'000}) == "hostB/*=-250ms");
  for (const Ns offset : {Ns{0}, Ns{1}, Ns{-1}, Ns{999}, Ns{-1'000}, Ns{1'001}, Ns{999'999'999},
                          Ns{-86'400'000'000'001}, Ns{1'000'000'010}, Ns{-9 * 3'600 * kSecond}, Ns{20'700 * kSecond},
                          Ns{900 * kSecond}, kLongestClockOffset, -kLongestClockOffset}) {
    CAPTURE(offset);
    const auto back = parse_clock_offset(format_clock_offset(ClockOffset{"a b", offset}));
    REQUIRE(back.ok());
    CHECK(back.value() == ClockOffset{"a b", offset});
  }
}

TEST_CASE("clock_offset: an invalid offset gives an error that says how to write one") {
  for (const char* bad :
       {"", "=", "=1s", "worker_3.jsonl", "worker_3.jsonl=", "a=b", "a=1d", "a=1m2h", "a=1e300", "a=4000000000s"}) {
    CAPTURE(std::string(bad));
    const auto parsed = parse_clock_offset(bad);
    REQUIRE(!parsed.ok());
    CHECK(parsed.error().message == std::string("not a clock offset: ") + bad);
    CHECK(parsed.error().remedy.find("hostB/*=-250ms") != std::string::npos);
  }
}
