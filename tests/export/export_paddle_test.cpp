#include "core/export/formats/export_paddle.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/export/export_trace.h"
#include "core/export/formats/export_csv.h"
#include "core/export/formats/paddle_run.h"
#include "tests/export/exported.h"

using namespace tv;
using namespace tv::test;

namespace {

std::string job(std::string_view type, int number, int micro_batch, int begin_ms, int end_ms) {
  const std::string base = begin_ms == 0 ? "" : "169779330";
  return fmt::format(
      "I1020 x.cc:1] Profiler Info: Job ({}), type = {}, micro_batch_id = {}, job_start_time = {}{}.000000, "
      "job_end_time = {}{}.000000\n",
      number, type, micro_batch, base, begin_ms, base, end_ms);
}

constexpr Ns kBase = 1'697'793'300'000 * kMillisecond;

std::shared_ptr<const Trace> two_attempts(const TempDir& folder) {
  const std::string banner = "Schedule Profiler start at step 7 and end at step 9\n";
  const auto device = [&](int moved, int longer) {
    return banner + job("forward0", 0, 0, 1000 + moved, 1010 + longer) + job("recv_forward", 1, 0, 0, 0) +
           job("forward0", 5, 0, 1020 + moved, 1035 + moved) + job("backward_w0", 6, 0, 1035 + moved, 1040 + moved) +
           banner + job("forward0", 0, 0, 2000 + moved, 2010 + longer);
  };
  return load_snapshot({folder.write("run/workerlog.0", device(0, 0)), folder.write("run/workerlog.1", device(5, 20))},
                       test_pool())
      ->trace;
}

}  // namespace

TEST_CASE("paddle export: steps span all devices and are listed separately for each attempt") {
  const TempDir folder;
  const auto trace = two_attempts(folder);
  REQUIRE(is_paddle_run(*trace));
  const auto steps = paddle_run_steps(*trace);
  REQUIRE(steps.size() == 3);
  const auto at = [&](Ns ms) { return kBase + ms * kMillisecond - trace->origin_ns; };
  CHECK(std::tuple(steps[0].number, steps[0].begin, steps[0].end) == std::tuple(7, at(1000), at(1030)));
  CHECK(std::tuple(steps[1].number, steps[1].begin, steps[1].end) == std::tuple(8, at(1030), at(1045)));
  CHECK(std::tuple(steps[2].number, steps[2].begin, steps[2].end) == std::tuple(7, at(2000), at(2030)));
}

TEST_CASE("paddle export: devices and machines are those of the log, whatever lanes are called") {
  const TempDir folder;
  const std::string text = job("forward0", 0, 0, 1000, 1010);
  const auto trace = load_snapshot({folder.write("run/machine1/workerlog.0", text), folder.write("run/machine2/workerlog.3", text),
                                    folder.write("run/machine2/more.log", text)},
                                   test_pool())
                         ->trace;
  const auto names = [](const Trace& of) {
    std::string out;
    for (const auto& [lane, device] : paddle_devices(of)) out += device.number + " of " + device.machine + "\n";
    return out;
  };
  CHECK(names(*trace) == "0 of 1\nmore.log of 2\n3 of 2\n");
  for (Lane& lane : std::const_pointer_cast<Trace>(trace)->lanes) lane.name = "GPU 7";
  CHECK(names(*trace) == "0 of 1\nGPU 7 of 2\n3 of 2\n");
}

TEST_CASE("paddle export: jobs have the log's numbers and a colour, and jobs without times are left out") {
  const TempDir folder;
  const auto trace = two_attempts(folder);
  std::string text;
  const ExportSink sink = [&](std::string_view bytes) {
    text += bytes;
    return Result<void>();
  };
  const auto totals = export_paddle(*trace, {}, PaddleShape::Profile, test_pool(), sink);
  REQUIRE(totals.ok());
  CHECK(totals.value().slices == 11);
  CHECK(std::ranges::find(totals.value().left_out, "args of slices and instants") != totals.value().left_out.end());
  CHECK(totals.value().bytes == text.size());
  const auto events = nlohmann::json::parse(text)["traceEvents"];
  REQUIRE(events.size() == 22);
  CHECK(events[0] ==
        nlohmann::json::parse(R"({"name":"forward0_0","cat":"forward0","ph":"B","ts":1697793301000000.000,"pid":0,
                                               "tid":"GPU0","cname":"thread_state_running"})"));
  CHECK(events[2]["name"] == "forward0_5");  // not the micro-batch
  CHECK(events[4]["cname"] == "rail_load");
  CHECK(text.find("recv_forward") == std::string::npos);

  // Once a file has changed, its slices' names are used instead of its records.
  folder.append("run/workerlog.1", "\n");
  text.clear();
  const auto again = export_paddle(*trace, {}, PaddleShape::Perfetto, test_pool(), sink);
  REQUIRE(again.ok());
  CHECK(again.value().without_args == 4);
  CHECK(again.value().problems.size() == 1);
  CHECK(nlohmann::json::parse(text)["traceEvents"].size() == 22 + 3);
}

TEST_CASE("paddle export: other formats report that they leave out the job data that charts need") {
  const TempDir folder;
  const auto trace = two_attempts(folder);
  const std::string said = "8 jobs of pipeline logs with the data for charts (their slices are exported)";
  for (const Exporter exporter : {export_csv, export_chrome}) {
    const std::vector<std::string> left_out = exported(*trace, {}, exporter).totals.left_out;
    CHECK(std::ranges::count(left_out, said) == 1);
  }
}

TEST_CASE("paddle export: both ends of a dygraph record move with a clock that is moved by hand or aligned") {
  const TempDir folder;
  const auto record = [](char kind, std::int64_t ms) {
    return fmt::format(R"({{"name":"F0","cat":"pipeline timeline","ph":"{}","pid":0,"tid":1,"ts":{}}})", kind, ms) + "\n";
  };
  const auto file = [&](const char* name, std::int64_t ms) { return folder.write(name, record('B', ms) + record('E', ms + 10)); };
  constexpr std::int64_t kFirst = 1'700'000'000'001, kHour = 3'600'000;
  const std::vector<std::string> paths = {file("rank_0.json", kFirst), file("rank_1.json", kFirst + kHour)};
  const auto times = [&](const LoadOptions& options) {
    const auto trace = load_snapshot(paths, test_pool(), options)->trace;
    CHECK(can_export(*trace, ExportFormat::Paddle));
    const Exporter to_paddle = [](const Trace& of, const ExportChoice& choice, ThreadPool& pool, const ExportSink& sink) {
      return export_trace(of, choice, ExportFormat::Paddle, pool, sink);
    };
    std::string text;
    for (const auto& event : nlohmann::json::parse(exported(*trace, {}, to_paddle).text))
      text += event["ph"].get<std::string>() + " " + event["ts"].dump() + "\n";
    return text;
  };
  CHECK(times({}) == "B 1700000000001\nE 1700000000011\nB 1700003600001\nE 1700003600011\n");
  LoadOptions by_hand;
  by_hand.clocks = {{"rank_0.json", 5 * kSecond + 500 * kMicrosecond}};
  CHECK(times(by_hand) == "B 1700000005001.5\nE 1700000005011.5\nB 1700003600001\nE 1700003600011\n");
  LoadOptions aligned;
  aligned.align = Align::Zero;
  CHECK(times(aligned) == "B 0\nE 10\nB 0\nE 10\n");
}

TEST_CASE("paddle export: a trace is offered in Paddle's format if it can be written in it") {
  const TempDir folder;
  CHECK(can_export(*two_attempts(folder), ExportFormat::Paddle));
  const auto other = read_again(folder, R"([{"name":"F0","cat":"op","ph":"X","pid":0,"tid":1,"ts":1,"dur":1}])");
  CHECK(!can_export(*other, ExportFormat::Paddle));
  CHECK(!can_export(Trace(), ExportFormat::Paddle));
}
