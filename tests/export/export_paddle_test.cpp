#include "core/export/formats/export_paddle.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

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

  // Once the records are gone, the slices' names are used.
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
