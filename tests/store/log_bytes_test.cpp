// Logs of runs as bytes in packed traces and the cache: they come back whole, and indices beyond their table are rejected.
#include <doctest/doctest.h>

#include <memory>

#include "core/store/logs/metric_bytes.h"
#include "core/store/logs/rollout_bytes.h"

using namespace tv;

namespace {

bool is_believed(const std::string& bytes, std::size_t sources = 1) {
  ByteReader reader(bytes);
  RolloutLog back;
  take_rollout(reader, sources, back);
  return reader.ok();
}
bool is_believed(const RolloutLog& log, std::size_t sources = 1) { return is_believed(rollout_bytes(log), sources); }

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
  log.requests.own()[0].turn_count = 1;
  CHECK(!is_believed(log));
  log = one_file();
  log.phases.own()[0].file = 1;
  CHECK(!is_believed(log));
}

TEST_CASE("log bytes: the texts of a rollout come back, and numbers beyond them are refused") {
  RolloutLog log = one_file();
  const auto ids = std::make_shared<StringTable>();
  log.ids.push_back(ids);
  log.requests.own()[0].id = (*ids)[ids->intern("b")];
  log.requests.own()[0].finish = static_cast<std::uint32_t>(log.texts.intern("STOP"));
  log.texts.intern("nobody's");
  const std::string bytes = rollout_bytes(log);
  ByteReader reader(bytes);
  RolloutLog back;
  take_rollout(reader, 1, back);
  REQUIRE(reader.done());
  CHECK(back.requests[0].id == "b");
  CHECK(back.text(back.requests[0].finish) == "STOP");
  CHECK(back.text(back.phases[0].event) == "r1");
  CHECK(back.texts.size() == 2);
  CHECK(rollout_bytes(back) == bytes);

  // "r1", "STOP" and "b": the request's id is the third, its reason the second, the phase's event the first.
  const std::size_t id = 8 + (8 + 2) + (8 + 4) + (8 + 1) + (8 + 33) + 8 + 36, finish = id + 4, event = bytes.size() - 8;
  REQUIRE(bytes[id] == 2);
  REQUIRE(bytes[finish] == 1);
  REQUIRE(bytes[event] == 0);
  for (const std::size_t at : {id, finish, event}) {
    std::string other = bytes;
    other[at] = 2;
    CHECK(is_believed(other));
    other[at] = 3;
    CHECK(!is_believed(other));
  }
}

TEST_CASE("log bytes: a rollout of nothing but minimal requests is accepted") {
  RolloutLog log;
  log.texts.intern("");
  log.files.emplace_back();
  for (int n = 0; n < 100; ++n) log.requests.push_back({});
  CHECK(is_believed(log));
}
