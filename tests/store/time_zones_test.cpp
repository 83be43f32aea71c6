// Zones of logs in local time: rollouts with the training logs that are joined with them, and logs that are near each other.
#include "core/store/clock/time_zones.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

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
  trace.extent = RecordedRange::of({step.begin + step.gen, step.begin + step.gen + step.update});
  return trace;
}

constexpr Ns kMinute = 60 * kSecond;

// A log that begins some minutes after kBegan in the zone kEast.
SourceView local_log(int minutes, Ns length = kMinute, bool names_process = false) {
  auto log = std::make_shared<MetricLog>();
  log->files.push_back({});
  MetricStep& step = log->steps.emplace_back();
  step.begin = kBegan + kEast + minutes * kMinute;
  step.duration = length;
  if (names_process) log->processes.push_back({log->name_id("WorkerDict"), kPid, 0});
  SourceView view;
  view.info.path = fmt::format("after_{}_minutes/train.log", minutes);
  view.info.local_time = true;
  view.metrics = std::move(log);
  return view;
}

// A report that shows that a log of local_log() is in this zone.
TimedFile report_of(int minutes, Ns east) {
  TimedFile report;
  report.path = fmt::format("{}.nsys-rep", minutes);
  report.zone_east = east;
  const Ns begin = kBegan + kEast - east + minutes * kMinute;
  report.extent = RecordedRange::of({begin, begin + kMinute});
  return report;
}

// A log that says that the process was profiled for a minute, from each of these minutes on.
SourceView profiled_log(const std::vector<int>& minutes) {
  auto log = std::make_shared<MetricLog>();
  log->files.push_back({});
  log->processes.push_back({log->name_id("WorkerDict"), kPid, 0});
  for (const int after : minutes) {
    const Ns begin = kBegan + kEast + after * kMinute;
    log->marks.push_back({log->name_id("Warm Up"), 0, 0, begin, 0});
    log->marks.push_back({log->name_id("Collection"), 0, 0, begin + kMinute, 0});
  }
  SourceView view;
  view.info.path = "train.log";
  view.info.local_time = true;
  view.metrics = std::move(log);
  return view;
}

// A trace of half a minute.
TimedFile trace_of(const std::string& path, std::int64_t pid, int minutes) {
  TimedFile trace;
  trace.path = path;
  trace.pid = pid;
  trace.extent = RecordedRange::of({kBegan + minutes * kMinute, kBegan + minutes * kMinute + kMinute / 2});
  return trace;
}

ClockFit fit_with(SourceView view, const std::vector<TimedFile>& files) {
  std::vector<SourceView> views{std::move(view)};
  TimeZones(views, files).finish();
  return views.front().info.clock_fit;
}

// How far each of these logs is moved, by minutes. None if its zone is unknown.
using Moved = std::map<int, std::optional<Ns>>;
Moved moved_logs(const std::vector<int>& minutes, const std::vector<TimedFile>& reports) {
  std::vector<SourceView> views;
  for (const int after : minutes) views.push_back(local_log(after));
  TimeZones(views, reports).finish();
  Moved moved;
  for (std::size_t v = 0; v < views.size(); ++v) {
    const bool found = views[v].info.clock_fit.evidence == ClockEvidence::Zone;
    if (!found) CHECK(views[v].info.clock_fit.evidence == ClockEvidence::NoZone);
    moved[minutes[v]] = found ? std::optional(views[v].clock_base.by) : std::nullopt;
  }
  return moved;
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
      if (view.rollout) CHECK(view.clock_base.by == -kEast);
      if (!view.metrics) continue;
      CHECK(view.metrics->files.front().placing.starts_with("on the clock of rollout rollout: 12 of 12 steps"));
      for (std::size_t s = 0; s < steps.size(); ++s) CHECK(view.metrics->steps[s].begin == steps[s].begin);
    }
  }
}

TEST_CASE("time_zones: a rollout that is kept in local time is not moved, another takes the first zone that is set") {
  std::vector<SourceView> views{rollout_of(true_steps().front())};
  TimeZones kept(views, {});
  kept.keep_local(kRun);
  CHECK(!kept.set_zone(kRun, kEast, "a trace"));
  CHECK(kept.lacks_zone(kRun));
  CHECK(views.front().clock_base.by == 0);
  TimeZones found(views, {});
  CHECK(found.set_zone(kRun, kEast, "a trace"));
  CHECK(!found.set_zone(kRun, 0, "another trace"));
  CHECK(!found.lacks_zone(kRun));
  CHECK(views.front().clock_base.by == -kEast);
}

TEST_CASE("time_zones: a zone spreads along a chain of logs, in any order of files") {
  std::vector<int> minutes{0, 10, 20, 30, 40};  // nine minutes from the end of each log to the next one
  const std::vector<TimedFile> reports{report_of(40, kEast)};
  do {
    REQUIRE(moved_logs(minutes, reports) == Moved{{0, -kEast}, {10, -kEast}, {20, -kEast}, {30, -kEast}, {40, -kEast}});
  } while (std::ranges::next_permutation(minutes).found);
  // More than ten minutes are not near.
  CHECK(moved_logs({18, 29, 40}, {report_of(40, kEast)}) == Moved{{18, -kEast}, {29, -kEast}, {40, -kEast}});
  CHECK(moved_logs({17, 29, 40}, {report_of(40, kEast)}) == Moved{{17, std::nullopt}, {29, -kEast}, {40, -kEast}});
}

TEST_CASE("time_zones: a log near logs of different zones gets none, in any order of files") {
  constexpr Ns kOther = kEast - 4 * kZoneStep;
  std::vector<int> minutes{0, 10, 20, 30, 40};
  const std::vector<TimedFile> reports{report_of(0, kEast), report_of(40, kOther)};
  do {
    REQUIRE(moved_logs(minutes, reports) == Moved{{0, -kEast}, {10, -kEast}, {20, std::nullopt}, {30, -kOther}, {40, -kOther}});
  } while (std::ranges::next_permutation(minutes).found);
}

TEST_CASE("time_zones: a long log gets its zone from a short one within it, and other short ones get theirs from it") {
  std::vector<SourceView> views{local_log(10), local_log(0, 500 * kMinute), local_log(490), local_log(250, kMinute, true)};
  TimedFile trace;
  trace.path = "trace.json";
  trace.pid = kPid;
  trace.extent = RecordedRange::of({kBegan + 250 * kMinute, kBegan + 250 * kMinute + kSecond});
  TimeZones(views, {trace}).finish();
  for (const SourceView& view : views) CHECK(view.clock_base.by == -kEast);
}

TEST_CASE("time_zones: of the reports that overlap a log, the last is named, and reports of two zones show none") {
  std::vector<TimedFile> reports{report_of(0, kEast), report_of(0, kEast), report_of(30, kEast)};
  reports[0].path = "a.nsys-rep", reports[1].path = "b.nsys-rep", reports[2].path = "c.nsys-rep";
  const ClockFit fit = fit_with(local_log(0), reports);
  CHECK(fit.offset == -kEast);
  CHECK(fit.text.ends_with(": b.nsys-rep has the local time of its host"));
  reports.push_back(report_of(0, kEast - kZoneStep));
  CHECK(fit_with(local_log(0), reports).evidence == ClockEvidence::NoZone);
}

TEST_CASE("time_zones: all traces of a log's processes lie within its profiled times, else they show no zone") {
  const std::vector<int> profiled{20, 0, 41};
  std::vector<TimedFile> traces{trace_of("a.json", kPid, 41), trace_of("b.json", kPid, 0), trace_of("c.json", kPid + 1, 10)};
  const ClockFit fit = fit_with(profiled_log(profiled), traces);
  CHECK(fit.offset == -kEast);
  CHECK(fit.text.ends_with("the trace of that process (b.json) then lies between \"Warm Up\" and \"Collection\""));
  traces.push_back(trace_of("d.json", kPid, 10));
  CHECK(fit_with(profiled_log(profiled), traces).evidence == ClockEvidence::NoZone);
}
