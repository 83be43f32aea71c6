// The N key and the step strip take their steps from whichever source numbers them.
#include <doctest/doctest.h>

#include <fmt/format.h>

#include "core/view/timeline/step_strip.h"
#include "tests/session/desk.h"

using namespace tv;
using namespace tv::test;
using namespace tv::command;

namespace {

void wait_for_analysis(TestDesk& desk) {
  wait_until([&] {
    desk.frame();
    return !desk.ws.run().pending();
  });
  desk.settle();
}

// The visible range contains this one and is not much longer.
void check_shows(const TestDesk& desk, Ns begin, Ns end) {
  CHECK(desk.ws.state().view().begin <= static_cast<double>(begin));
  CHECK(desk.ws.state().view().end() >= static_cast<double>(end));
  CHECK(desk.ws.state().view().span < 1.21 * static_cast<double>(end - begin));  // a tenth on both sides
}

}  // namespace

TEST_CASE("workspace: N goes through the steps that a profiler marked") {
  const TempDir folder;
  std::string text = "[";
  for (int i = 0; i < 4; ++i) {
    text += (i ? "," : "") + event("ProfilerStep#" + std::to_string(7 + i), 1000 * i, i == 2 ? 900 : 500) + "," +
            event("work", 1000 * i + 10, 100);
  }
  TestDesk desk;
  desk.open({folder.write("trace.json", text + "]")});
  wait_for_analysis(desk);
  const StepSource* const source = desk.ws.step_source();
  REQUIRE(source);
  REQUIRE(source->steps.size() == 4);
  CHECK(!desk.ws.marked_step());
  const StepStrip strip = step_strip(*source);
  CHECK(strip.bars[2].name == "ProfilerStep#9");
  CHECK(strip.bars[2].seconds == doctest::Approx(900e-6));
  CHECK(strip.bars[2].factor == doctest::Approx(1.8));
  CHECK(strip.bars[1].factor == 0);
  CHECK(strip.has(StepPart::Whole));

  for (Ns step = 0; step < 4; ++step) {
    desk.apply(NextStep{true});
    check_shows(desk, step * kMillisecond, step * kMillisecond + (step == 2 ? 900'000 : 500'000));
    CHECK(desk.ws.marked_step() == static_cast<std::uint32_t>(step));
  }
  desk.apply(NextStep{true});  // there is none after the last
  CHECK(desk.ws.marked_step() == 3u);
  desk.apply(NextStep{false});
  check_shows(desk, 2 * kMillisecond, 2'900'000);
  desk.apply(FitAll{});
  desk.apply(NextStep{false});
  CHECK(desk.ws.marked_step() == 3u);
  desk.apply(GoToMarkedStep{1});
  check_shows(desk, kMillisecond, 1'500'000);
}

TEST_CASE("workspace: N goes through the steps of a console log") {
  const TempDir folder;
  std::string text = "step:0 - val-core/score/mean@1:0.5\n";  // has no duration
  for (int step = 1; step <= 3; ++step) {
    text += "step:" + std::to_string(step) +
            " - timing_s/gen:2.0 - timing_s/update_actor:1.0 - timing_s/step:4.0 - perf/time_per_step:4.0\n";
  }
  TestDesk desk;
  desk.open({folder.write("run.log", text)});
  wait_for_analysis(desk);
  REQUIRE(desk.ws.run().training());
  for (Ns step = 0; step < 3; ++step) {
    desk.apply(NextStep{true});
    check_shows(desk, 4 * step * kSecond, 4 * (step + 1) * kSecond);
    CHECK(desk.ws.run().question().training_step == step + 1);
  }
  desk.apply(NextStep{false});
  CHECK(desk.ws.run().question().training_step == 2);
  const StepStrip strip = step_strip(*desk.ws.run().training(), desk.ws.run().training()->runs[0]);
  CHECK(strip.has(StepPart::Generate));
  CHECK(strip.has(StepPart::Training));
}

TEST_CASE("step_strip: the timers of a Megatron log count as training, communication and the rest") {
  const TempDir folder;
  std::string text;
  for (int i = 1; i <= 3; ++i) {
    const std::string n = std::to_string(i);
    text += " [2024-08-19 20:27:0" + n + "] iteration        " + n + "/      10 | consumed samples:  " + n +
            " | elapsed time per iteration (ms): 1000.0 | learning rate: 1.0E-04 | global batch size: 1 | lm loss: "
            "1.0E+00 |\n" +
            "time (ms) | forward-compute: 300.00 | backward-compute: 400.00 | backward-params-all-reduce: 100.00 | "
            "optimizer: 50.00\n";
  }
  TestDesk desk;
  desk.open({folder.write("megatron.log", text)});
  wait_for_analysis(desk);
  REQUIRE(desk.ws.run().training());
  const StepStrip strip = step_strip(*desk.ws.run().training(), desk.ws.run().training()->runs[0]);
  REQUIRE(strip.bars.size() == 3);
  const auto part = [&](StepPart p) { return strip.bars[1].part[static_cast<std::size_t>(p)]; };
  CHECK(part(StepPart::Training) == doctest::Approx(0.75));
  CHECK(part(StepPart::Communication) == doctest::Approx(0.1));
  CHECK(part(StepPart::Rest) == doctest::Approx(0.15));
}

TEST_CASE("workspace: step parts and exposed communication follow the configured communication patterns") {
  const TempDir folder;
  std::string text = R"({"schemaVersion": 1, "distributedInfo": {"rank": 0}, "traceEvents": [)";
  for (int i = 0; i < 3; ++i) {
    const auto add = [&](const char* category, const std::string& name, int thread, int begin, int length) {
      text += fmt::format(
          R"({{"ph":"X","cat":"{}","name":"{}","pid":{},"tid":{},"ts":{},"dur":{},"args":{{"device":0,"stream":{}}}}},)",
          category, name, thread == 1 ? 4711 : 0, thread, 1000 * i + begin, length, thread);
    };
    add("user_annotation", "ProfilerStep#" + std::to_string(i + 3), 1, 0, 900);
    add("kernel", "gemm", 7, 100, 300);
    add("kernel", "exchange_halo", 22, 300, 300);
  }
  text.back() = ']';
  TestDesk desk;
  desk.open({folder.write("trace.json", text + "}")});
  wait_for_analysis(desk);
  const auto settled = [&] {
    wait_until([&] {
      desk.frame();
      return !desk.ws.run().busy() && desk.ws.results().gpu_marks;
    });
    return desk.ws.results().gpu_marks;
  };
  const GpuMarks* marks = settled();
  REQUIRE(marks->steps.size() == 1);
  REQUIRE(marks->steps[0].time.size() == 3);
  CHECK(marks->steps[0].time[1].compute == 500 * kMicrosecond);
  CHECK(marks->exposed.lanes.empty());
  desk.apply(SetChart{"communication", "exchange"});
  wait_until([&] { return settled()->activity->communicates; });
  marks = settled();
  CHECK(marks->steps[0].time[1].exposed == 200 * kMicrosecond);
  CHECK(marks->steps[0].time[1].overlapped == 100 * kMicrosecond);
  CHECK(marks->exposed.lanes.size() == 2);  // the stream's and the GPU's
}
