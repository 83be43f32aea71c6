// Lines of container runtime logs: pieces, streams, escapes, and lines of other kinds.
#include "core/base/text/container_line.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/support/gen_trace.h"

using namespace tv;
using namespace tv::test;

TEST_CASE("container lines: lines of containerd are parsed, and others are rejected") {
  const auto piece = container_line("2026-07-27T10:00:02.123456789Z stdout P step:1 - timing_s/ge", ContainerLog::Cri);
  REQUIRE(piece);
  CHECK(piece->time == "2026-07-27T10:00:02.123456789Z");
  CHECK(piece->stream == "stdout");
  CHECK(piece->text == "step:1 - timing_s/ge");
  CHECK_FALSE(piece->whole);
  CHECK(container_line("2026-07-27T10:00:02+02:00 stderr F ", ContainerLog::Cri)->whole);
  CHECK(container_line("2026-07-27T10:00:02+02:00 stderr F:tag:other  two blanks ", ContainerLog::Cri)->text ==
        " two blanks ");
  for (const char* none :
       {"", "2026-07-27T10:00:02Z stdout", "2026-07-27T10:00:02Z stdin F x", "2026-07-27T10:00:02Z stdout X x",
        "2026-07-27 10:00:02 stdout F x", "2026-07-27T10:00:02 stdout F x", "today stdout F x"}) {
    CAPTURE(none);
    CHECK_FALSE(container_line(none, ContainerLog::Cri));
  }
}

TEST_CASE("container lines: JSON lines of Docker and journald are parsed, with all escapes") {
  Random random(4);
  for (int round = 0; round < 300; ++round) {
    std::string text;
    for (std::int64_t n = random.in(0, 30); n > 0; --n) {
      constexpr const char* kParts[] = {
          "a", "\"", "\\", "\n", "\t", "\x1b[36m", "<b>", "\xc3\xa4", "\xe2\x82\xac", "\xf0\x9f\x98\x80", "/", "}"};
      text += kParts[random.in(0, std::size(kParts) - 1)];
    }
    const nlohmann::json record = {{"log", text + "\n"},
                                   {"stream", "stdout"},
                                   {"attrs", {{"tag", "x}"}, {"n", {1, 2}}}},
                                   {"time", "2026-07-27T10:00:02.5Z"}};
    CAPTURE(text);
    const auto line = container_line(record.dump(-1, ' ', round % 2 == 0), ContainerLog::Docker);
    REQUIRE(line);
    while (text.ends_with('\n')) text.pop_back();
    CHECK(line->text == text);
    CHECK(line->whole);
  }
  CHECK_FALSE(
      container_line(R"({"log":"cut","stream":"stdout","time":"2026-07-27T10:00:02Z"})", ContainerLog::Docker)->whole);
  const auto journal = container_line(R"({"__REALTIME_TIMESTAMP":"1785146402123456","MESSAGE":"step:1","_PID":"12"})",
                                      ContainerLog::Journal);
  REQUIRE(journal);
  CHECK(journal->time == "1785146402.123456");
  CHECK(journal->text == "step:1");
  for (const char* none :
       {"{}", R"({"log":"x\n"})", R"({"log":"x\n","time":"now"})", R"({"log":"x\n","time":"2026-07-27T10:00:02Z")",
        R"({"log":"\ud83","time":"2026-07-27T10:00:02Z"})", R"({"traceEvents":[],"time":"2026-07-27T10:00:02Z"})",
        R"({"attrs":][,"log":"x\n","time":"2026-07-27T10:00:02Z"})", R"({"attrs":],"log":"x\n","time":"2026-07-27T10:00:02Z"})"}) {
    CAPTURE(none);
    CHECK_FALSE(container_line(none, ContainerLog::Docker));
  }
}

TEST_CASE("container lines: a lone surrogate does not swallow the next character") {
  const auto text_of = [](const std::string& text) {
    const auto line = container_line(R"({"log":")" + text + R"(\n","time":"2026-07-27T10:00:02Z"})", ContainerLog::Docker);
    REQUIRE(line);
    return line->text;
  };
  CHECK(text_of(R"(\ud83d\ude00)") == "\xf0\x9f\x98\x80");
  CHECK(text_of(R"(\ud83d\u0041b)") == "\xef\xbf\xbd" "Ab");
  CHECK(text_of(R"(\ud83d\ud83d\ude00)") == "\xef\xbf\xbd\xf0\x9f\x98\x80");
  CHECK(text_of(R"(\ude00\u0041)") == "\xef\xbf\xbd" "A");
}

TEST_CASE("container lines: the log format is detected from the first lines") {
  CHECK(container_log("2026-07-27T10:00:02Z stdout F x\n") == ContainerLog::Cri);
  CHECK(container_log("1 of a line that was cut off at its front\n2026-07-27T10:00:02Z stdout F x\n") ==
        ContainerLog::Cri);
  CHECK(container_log("{\"log\":\"x\\n\",\"stream\":\"stdout\",\"time\":\"2026-07-27T10:00:02Z\"}") ==
        ContainerLog::Docker);
  for (const char* none : {"", "x", "2026-07-27T10:00:02Z x\n", "{\"traceEvents\":[\n",
                           "{\"timestamp\":\"2026-07-27T10:00:02\",\"event\":\"x\"}\n"}) {
    CAPTURE(none);
    CHECK_FALSE(container_log(none));
  }
}

TEST_CASE("container lines: the start of a text tells whether it may be a container log") {
  for (const char* log : {R"({"log":"x")", R"({ "stream" : "stdout")", R"({"time":)", R"({"attrs":{)", R"({"__CURSOR":"s=)", R"({"MESSAGE":)",
                          "2026-07-27T10:00:02Z stdout F x"}) {
    CAPTURE(log);
    CHECK(may_be_container_log(log));
  }
  for (const char* other : {"", "{", "{}", "{\n", R"({"step":1)", R"({"timing":1)", R"({"traceEvents":[)", "step:1", "[1]"}) {
    CAPTURE(other);
    CHECK_FALSE(may_be_container_log(other));
  }
}
