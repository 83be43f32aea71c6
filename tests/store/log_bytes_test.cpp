// Logs of runs as bytes in packed traces and the cache: they come back whole, and what points beyond its table is not believed.
#include <doctest/doctest.h>

#include "core/store/logs/metric_bytes.h"
#include "core/store/logs/rollout_bytes.h"

using namespace tv;

namespace {

bool is_believed(const RolloutLog& log, std::size_t sources = 1) {
  const std::string bytes = rollout_bytes(log);
  ByteReader reader(bytes);
  RolloutLog back;
  take_rollout(reader, sources, back);
  return reader.ok();
}

RolloutLog one_file() {
  RolloutLog log;
  log.texts.intern("r1");
  log.files.emplace_back();
  log.requests.push_back({});
  log.phases.push_back({});
  return log;
}

}  // namespace

TEST_CASE("log bytes: the files of a metric log keep their unit and what placed them") {
  MetricLog log;
  log.files.push_back({0, "step", "by its first line"});
  log.files.push_back({2, "iteration", "on the clock of a rollout"});
  const std::string bytes = metric_bytes(log);
  ByteReader reader(bytes);
  MetricLog back;
  take_metrics(reader, 3, back);
  REQUIRE(reader.ok());
  REQUIRE(back.files.size() == 2);
  CHECK(back.files[0].placing == "by its first line");
  CHECK(back.files[1].source == 2);
  CHECK(back.files[1].unit == "iteration");
  CHECK(back.files[1].placing == "on the clock of a rollout");
}

TEST_CASE("log bytes: a rollout whose entries point beyond their tables is refused") {
  CHECK(is_believed(one_file()));
  CHECK(!is_believed(one_file(), 0));
  RolloutLog log = one_file();
  log.requests.own()[0].file = 1;
  CHECK(!is_believed(log));
  log = one_file();
  log.requests.own()[0].finish = 1;
  CHECK(!is_believed(log));
  log = one_file();
  log.requests.own()[0].id = 1;
  CHECK(!is_believed(log));
  log = one_file();
  log.requests.own()[0].turn_count = 1;
  CHECK(!is_believed(log));
  log = one_file();
  log.phases.own()[0].file = 1;
  CHECK(!is_believed(log));
  log = one_file();
  log.phases.own()[0].event = 1;
  CHECK(!is_believed(log));
}
