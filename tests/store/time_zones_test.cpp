// Zones of rollouts in local time, and the training logs that are joined with them.
#include "core/store/clock/time_zones.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/store/clock/step_places.h"

using namespace tv;

namespace {

constexpr Ns kBegan = 1'777'626'000 * kSecond, kEast = 9 * 4 * kZoneStep;
constexpr std::int64_t kPid = 4001;
constexpr const char* kRun = "run/rollout";

// Step k of a run: when it began in UTC, and how long its rollout and its update took.
struct TrueStep {
  std::int64_t number = 0;
  Ns begin = 0, gen = 0, update = 0;
};

std::vector<TrueStep> true_steps() {
  std::vector<TrueStep> steps;
  Ns at = kBegan;
  for (std::int64_t k = 1; k <= 12; ++k) {
    steps.push_back({k, at, (5 + k * 37 % 23) * kSecond, (3 + k * 29 % 17) * kSecond});
    at += steps.back().gen + steps.back().update;
  }
  return steps;
}

SourceView rollout_of(const TrueStep& step) {
  SourceView view;
  view.info.path = fmt::format("{}/step_{}/worker_0.jsonl", kRun, step.number);
  view.info.local_time = true;
  auto log = std::make_shared<RolloutLog>();
  log->files.push_back({0, static_cast<std::int32_t>(step.number), 0, true, step.begin + kEast + step.gen, to_seconds(step.gen)});
  view.rollout = std::move(log);
  return view;
}

SourceView training_log(const std::string& path, const std::vector<TrueStep>& steps, bool names_process) {
  auto log = std::make_shared<MetricLog>();
  log->files.push_back({});
  for (const TrueStep& step : steps) {
    MetricStep& logged = log->steps.emplace_back();
    logged.step = logged.first_step = step.number;
    logged.duration = step.gen + step.update;
    logged.first_part = static_cast<std::uint32_t>(log->parts.size());
    logged.part_count = 2;
    log->parts.push_back({log->name_id("gen"), step.gen});
    log->parts.push_back({log->name_id("update_actor"), step.update});
  }
  if (names_process) log->processes.push_back({log->name_id("WorkerDict"), kPid, 0});
  SourceView view;
  view.info.path = path;
  view.metrics = std::move(log);
  return view;
}

TimedFile trace_of_update(const TrueStep& step) {
  TimedFile trace;
  trace.path = "update.json";
  trace.pid = kPid;
  trace.step = step.number;
  trace.phase = "update_actor";
  trace.extent = {step.begin + step.gen, step.begin + step.gen + step.update};
  return trace;
}

}  // namespace

TEST_CASE("time_zones: the log that shows the zone of rollouts places the steps of all logs, in any order of logs") {
  const std::vector<TrueStep> steps = true_steps();
  for (const bool shown_first : {true, false}) {
    CAPTURE(shown_first);
    std::vector<SourceView> views;
    for (const TrueStep& step : steps) views.push_back(rollout_of(step));
    views.push_back(training_log("a.log", steps, shown_first));
    views.push_back(training_log("b.log", steps, !shown_first));
    place_logs(views, {trace_of_update(steps[4])});
    for (const SourceView& view : views) {
      CAPTURE(view.info.path);
      if (view.rollout) CHECK(view.clock_base == -kEast);
      if (!view.metrics) continue;
      CHECK(view.metrics->files.front().placing.starts_with("on the clock of rollout rollout: 12 of 12 steps"));
      for (std::size_t s = 0; s < steps.size(); ++s) CHECK(view.metrics->steps[s].begin == steps[s].begin);
    }
  }
}

TEST_CASE("time_zones: a rollout that is kept in local time is not moved, another takes the first zone that it is told") {
  std::vector<SourceView> views{rollout_of(true_steps().front())};
  TimeZones kept(views, {});
  kept.keep(kRun);
  CHECK(!kept.tell(kRun, kEast, "a trace"));
  CHECK(kept.is_open(kRun));
  CHECK(views.front().clock_base == 0);
  TimeZones told(views, {});
  CHECK(told.tell(kRun, kEast, "a trace"));
  CHECK(!told.tell(kRun, 0, "another trace"));
  CHECK(!told.is_open(kRun));
  CHECK(views.front().clock_base == -kEast);
}
