// Paddle's pipeline logs: single records, where steps begin, and any mixture of lines against the expression that
// Paddle's own tool searches with.
#include <doctest/doctest.h>

#include <map>
#include <regex>
#include <string>
#include <tuple>
#include <vector>

#include "core/read/paddle/paddle_job.h"
#include "core/read/paddle/paddle_steps.h"
#include "core/session/load/load_job.h"
#include "core/session/records/load_args.h"
#include "tests/support/gen_trace.h"
#include "tests/support/temp_dir.h"

using namespace tv;
using namespace tv::test;

namespace {

constexpr const char* kRealRecord =
    "Profiler Info: Job (3), type = forward, micro_batch_id = 2, job_start_time = 1697793307213.760986, "
    "job_end_time = 1697793307254.006104";

PaddleParse parsed(std::string_view text) {
  PaddleJob job;
  return parse_paddle_job(text, job);
}

std::shared_ptr<const Trace> load_log(const TempDir& folder, std::string_view path, std::string_view text,
                                      std::size_t chunk_bytes = 1 << 20) {
  LoadOptions options;
  options.chunk_bytes = chunk_bytes;
  return load_snapshot({folder.write(path, text)}, test_pool(), options)->trace;
}

std::string record(std::string_view type, int micro_batch, int begin_ms, int end_ms) {
  return "Profiler Info: Job (7), type = " + std::string(type) + ", micro_batch_id = " + std::to_string(micro_batch) +
         ", job_start_time = " + std::to_string(1'700'000'000'000 + begin_ms) +
         ".000000, job_end_time = " + std::to_string(1'700'000'000'000 + end_ms) + ".000000";
}

}  // namespace

TEST_CASE("paddle_log: a real record gives its number, type, micro-batch and times") {
  PaddleJob job;
  REQUIRE(parse_paddle_job(kRealRecord, job) == PaddleParse::Whole);
  CHECK(job.number == "3");
  CHECK(job.type == "forward");
  CHECK(job.micro_batch == "2");
  CHECK(job.begin == "1697793307213.760986");
  CHECK(job.end == "1697793307254.006104");
  CHECK(job.length == std::string_view(kRealRecord).size());
}

TEST_CASE("paddle_log: a record whose text ends before the sixth decimal of its end time is cut") {
  const std::string_view whole = kRealRecord;
  for (std::size_t size = 0; size < whole.size(); ++size) REQUIRE(parsed(whole.substr(0, size)) == PaddleParse::Cut);
  CHECK(parsed(std::string(whole.substr(0, whole.size() - 1)) + "\n") == PaddleParse::Whole);  // five decimals, by another writer
  CHECK(parsed("Profiler Info: Job (3), type = , micro") == PaddleParse::Bad);
  CHECK(parsed("Profiler Info: Job (-3), type = forward") == PaddleParse::Bad);
}

TEST_CASE("paddle_log: the chunk is read from the type") {
  const std::map<std::string, std::string> chunks = {{"forward", "-"},       {"forward0", "0"},
                                                     {"backward_b12", "12"}, {"backward_w1_reduce", "1"},
                                                     {"recv_forward", "-"},  {"", "-"}};
  for (const auto& [type, chunk] : chunks) CHECK(paddle_chunk(type).value_or("-") == chunk);
}

TEST_CASE("paddle_log: a job's type gives its kind of work and its chunk") {
  const std::map<std::string, std::string> works = {
      {"forward", "forward"},        {"forward12", "forward"},       {"backward0", "backward"},
      {"backward_b", "backward_b"},  {"backward_w3", "backward_w"},  {"backward_w1_reduce", "backward_w"},
      {"optimizer", "optimizer"},    {"lr", "lr"},                   {"recv_forward", "communication"},
      {"send_backward", "communication"}, {"default", "other"},      {"something_new", "other"}};
  for (const auto& [type, work] : works) {
    const std::string& of = type;
    CAPTURE(of);
    CHECK(name(paddle_work(type)) == work);
  }
  PaddleJob job;
  job.type = "backward_b3";
  job.micro_batch = "17";
  const auto numbers = pipeline_job(job);
  REQUIRE(numbers);
  CHECK(numbers->work == PipelineWork::backward_b);
  CHECK(numbers->chunk == 3);
  CHECK(numbers->micro_batch == 17);
  job.type = "forward99999";
  CHECK(!pipeline_job(job));
  job.type = "forward";
  job.micro_batch = "99999999999";
  CHECK(!pipeline_job(job));
}

TEST_CASE("paddle_steps: the first type with micro-batch 0 begins a step, `default` never does") {
  PaddleSteps steps;
  CHECK(!steps.add("default", "0"));
  steps.add_times(1, 2, 0);
  CHECK(!steps.add("forward0", "0"));
  steps.add_times(10, 20, 1);
  CHECK(!steps.add("forward0", "1"));
  CHECK(!steps.add("forward1", "0"));
  steps.add_times(20, 40, 2);
  steps.add_times(5, 30, 3);  // plan order is not time order
  const auto first = steps.add("forward0", "0");
  REQUIRE(first);
  CHECK(first->number == 0);
  CHECK(first->begin == 5);
  CHECK(first->end == 40);
  CHECK(first->offset == 1);
  CHECK(!steps.restart(30));  // no times were added since
  CHECK(!steps.add("forward1", "3"));
  steps.add_times(50, 60, 4);
  const auto last = steps.finish();
  REQUIRE(last);
  CHECK(last->number == 30);
  CHECK(!steps.finish());
}

TEST_CASE("paddle_log: times are exact, args come from the record") {
  const TempDir folder;
  const auto trace = load_log(folder, "workerlog.2", "I1020 executor.cc:217] " + std::string(kRealRecord) + "\n");
  REQUIRE(trace->slices.size() == 2);  // and its step
  const Row& row = trace->rows.back();
  CHECK(trace->lane(row.lane).name == "GPU 2");
  const RowSlices slices = trace->slices_of(row);
  CHECK(trace->origin_ns + slices.begin(0) == 1'697'793'307'213'760'986);
  CHECK(trace->origin_ns + slices.end(0) == 1'697'793'307'254'006'104);
  CHECK(trace->sources[0].wall_clock);
  CHECK(trace->sources[0].rank == 2);
  const auto args = load_args(trace->sources[0], trace->slices.ref[1]);
  REQUIRE(args.ok());
  CHECK(args.value().text == kRealRecord);
  CHECK(args.value().find("Job")->value == "3");
  CHECK(args.value().find("micro_batch_id")->value == "2");
  CHECK(!args.value().find("chunk"));
}

TEST_CASE("paddle_log: machines and devices are in natural order, with steps above them") {
  const TempDir folder;
  std::vector<std::string> files;
  for (const char* name : {"logs/machine10/workerlog.0", "logs/machine2/workerlog.10", "logs/machine2/workerlog.9"}) {
    files.push_back(folder.write(name, record("forward", 0, 0, 5) + "\n"));
  }
  const auto trace = load_snapshot(files, test_pool())->trace;
  std::vector<std::string> names;
  for (const Lane& lane : trace->lanes) names.push_back(lane.name);
  CHECK(names == std::vector<std::string>{"logs", "steps", "machine2", "GPU 9", "GPU 10", "machine10", "GPU 0"});
}

TEST_CASE("paddle_log: a log without jobs is reported") {
  const TempDir folder;
  const auto trace = load_log(folder, "workerlog.0", "loss: 3.2, Profiler \n");
  CHECK(trace->slices.size() == 0);
  CHECK(trace->sources[0].state == SourceState::Ready);
  CHECK(trace->sources[0].problems.count(ProblemKind::no_jobs) == 1);
}

TEST_CASE("paddle_log: the same jobs are found as by Paddle's expression, in any text and for any chunk size") {
  const std::regex official(
      "Profiler Info: Job \\((\\d+)\\), type = (\\w+), micro_batch_id = (\\d+), job_start_time = (\\d+\\.\\d+), "
      "job_end_time = (\\d+\\.\\d+)");
  const std::vector<std::string> between = {"\n",
                                            "\n",
                                            "\n",
                                            "",
                                            " ",
                                            "\r\n",
                                            "Profiler ",
                                            "Profiler Info: Job (",
                                            "\nloss: 3.2\n",
                                            "Schedule Profiler start at step 7 and end at step 9\n",
                                            std::string(1500, 'x') + "\n"};
  using Found = std::tuple<std::string, Ns>;
  for (const std::uint64_t seed : seeds(100)) {
    CAPTURE(seed);
    const TempDir folder;
    Random random(seed);
    std::string text;
    for (int i = 0; i < 30; ++i) {
      text += random.one_of(between);
      std::string one = record(random.one_of(std::vector<std::string>{"forward", "backward0", "optimizer"}),
                               static_cast<int>(random.in(0, 3)), 10 * i + 1, 10 * i + 9);
      // Cut before the end time: the expression does not notice a cut within it.
      if (random.chance(0.2))
        one.resize(static_cast<std::size_t>(random.in(0, static_cast<std::int64_t>(one.size()) - 22)));
      text += one;
    }
    text += "\n";
    std::vector<Found> expected, found;
    for (std::sregex_iterator at(text.begin(), text.end(), official), end; at != end; ++at) {
      expected.emplace_back((*at)[2].str() + "_" + (*at)[3].str(), std::stoll((*at)[4].str()) * kMillisecond);
    }
    const auto trace =
        load_log(folder, "workerlog.0", text, random.one_of(std::vector<std::size_t>{1, 50, 1000, 1 << 20}));
    for (std::size_t i = 0; i < trace->slices.size(); ++i) {
      if (trace->labels.category(trace->slices.label[i]) == "step") continue;
      found.emplace_back(trace->labels.name(trace->slices.label[i]), trace->origin_ns + trace->slices.begin[i]);
    }
    CHECK(found == expected);
  }
}
