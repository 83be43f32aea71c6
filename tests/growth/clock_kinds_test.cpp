// Growth kinds for clocks: zones of logs, steps of training logs, units with and without collectives, barriers. They are made without
// files, because reading costs so much that the work for pairs of them would only show among thousands.
#include "core/analysis/clocks/barrier_clock.h"
#include "core/store/clock/step_places.h"
#include "core/store/collectives/collective_clock.h"
#include "tests/growth/growth.h"
#include "tests/support/hand_rollout.h"

using namespace tv;
using namespace tv::test;

namespace {

constexpr Ns kBegan = 1'777'626'000 * kSecond, kEast = 9 * 4 * kZoneStep, kMinute = 60 * kSecond;
constexpr Ns kApart = 20 * kMinute;  // logs that are so far apart are not near each other
constexpr std::int64_t kPid = 4001;

Ns as_signed(std::size_t i) { return static_cast<Ns>(i); }

struct PlacedLogs {
  std::vector<SourceView> views;
  std::vector<TimedFile> files;

  MetricLog& log(const std::string& path, bool local_time) {
    auto log = std::make_shared<MetricLog>();
    log->files.push_back({});
    log->processes.push_back({log->name_id("WorkerDict"), kPid, 0});
    SourceView& view = views.emplace_back();
    view.info.path = path;
    view.info.local_time = local_time;
    view.metrics = log;
    return *log;
  }
  // A log in local time with one step, whose begin in UTC is given.
  MetricLog& local_log(std::size_t i, Ns begin) {
    MetricLog& made = log(fmt::format("run_{}/train.log", i), true);
    MetricStep& step = made.steps.emplace_back();
    step.begin = begin + kEast;
    step.duration = kMinute;
    return made;
  }
  // A log that states no times.
  void training_log(std::size_t i, std::size_t steps, std::string_view part) {
    MetricLog& made = log(fmt::format("run_{}/console.log", i), false);
    for (std::size_t s = 0; s < steps; ++s) {
      MetricStep& step = made.steps.emplace_back();
      step.step = step.first_step = as_signed(s);
      step.duration = kMinute;
      step.first_part = static_cast<std::uint32_t>(made.parts.size());
      step.part_count = 2;
      made.parts.push_back({made.name_id(part), 10 * kSecond});
      made.parts.push_back({made.name_id("update_actor"), 20 * kSecond});
    }
  }
  void rollout(const std::string& folder, std::size_t step) {
    auto log = std::make_shared<RolloutLog>();
    log->files.push_back({0, static_cast<std::int32_t>(step), 0, true, kBegan + as_signed(step) * kMinute, 9});
    SourceView& view = views.emplace_back();
    view.info.path = fmt::format("{}/step_{}/worker_0.jsonl", folder, step);
    view.info.local_time = true;
    view.rollout = std::move(log);
  }
  TimedFile& file(std::size_t i, Ns begin, Ns length) {
    TimedFile& made = files.emplace_back();
    made.path = fmt::format("trace_{}.json", i);
    made.extent = RecordedRange::of({begin, begin + length});
    return made;
  }
};

// Work that places these logs. `expected`: the evidence for the clock of the first.
std::function<void(Meter&, std::size_t)> places(ClockEvidence expected, std::function<void(PlacedLogs& logs, std::size_t n)> make) {
  return [expected, make = std::move(make)](Meter& meter, std::size_t n) {
    PlacedLogs logs;
    make(logs, n);
    meter.stage("place", [&] { place_logs(logs.views, logs.files); });
    CHECK(logs.views.front().info.clock_fit.evidence == expected);
  };
}

const GrowthKind kLogKinds[] = {
    {"folders of rollouts beside a training log", 640, places(ClockEvidence::NoZone, [](PlacedLogs& logs, std::size_t n) {
       for (std::size_t i = 0; i < n; ++i) logs.rollout(fmt::format("run_{}", i), 1);
       logs.training_log(0, 4, "gen");
     })},
    {"training logs beside rollouts", 160, places(ClockEvidence::NoZone, [](PlacedLogs& logs, std::size_t n) {
       for (std::size_t i = 0; i < n; ++i) logs.rollout("run", i), logs.training_log(i, 2, "forward");
     })},
    {"logs beside reports", 320, places(ClockEvidence::Zone, [](PlacedLogs& logs, std::size_t n) {
       for (std::size_t i = 0; i < n; ++i) {
         logs.local_log(i, kBegan + as_signed(i) * kApart);
         logs.file(i, kBegan + as_signed(i) * kApart, kMinute).zone_east = kEast;
       }
     })},
    {"logs far from traces", 128, places(ClockEvidence::NoZone, [](PlacedLogs& logs, std::size_t n) {
       constexpr Ns kYear = 365 * 24 * 60 * kMinute;
       for (std::size_t i = 0; i < n; ++i) {
         logs.local_log(i, kBegan + as_signed(i) * kApart);
         logs.file(i, kBegan + kYear + as_signed(i) * kApart, kMinute);
       }
     })},
    {"logs and traces of one process", 96, places(ClockEvidence::Zone, [](PlacedLogs& logs, std::size_t n) {
       for (std::size_t i = 0; i < n; ++i) {
         logs.local_log(i, kBegan);
         logs.file(i, kBegan + as_signed(i) * kMillisecond, kSecond).pid = kPid;
       }
     })},
    {"profiled times of a log", 320, places(ClockEvidence::Zone, [](PlacedLogs& logs, std::size_t n) {
       MetricLog& log = logs.local_log(0, kBegan);
       const std::uint32_t warm_up = log.name_id("Warm Up"), collection = log.name_id("Collection");
       for (std::size_t i = 0; i < n; ++i) {
         const Ns begin = kBegan + as_signed(i) * kApart;
         log.marks.push_back({warm_up, 0, 1, begin + kEast, 0});
         log.marks.push_back({collection, 0, 1, begin + kEast + kMinute, 0});
         logs.file(i, begin, kMinute).pid = kPid;
       }
     })},
    {"traces of a training log", 640, places(ClockEvidence::None, [](PlacedLogs& logs, std::size_t n) {
       logs.training_log(0, n, "gen");
       for (std::size_t i = 0; i < n; ++i) {
         TimedFile& trace = logs.file(i, kBegan + as_signed(i) * kMinute + 10 * kSecond, 20 * kSecond);
         trace.pid = kPid;
         trace.step = as_signed(i);
         trace.phase = "update_actor";
       }
     })},
};

// Collectives of one name at irregular times.
std::shared_ptr<const UnitCollectives> some_collectives(std::uint64_t name) {
  CollectiveStream stream;
  Ns at = kBegan;
  for (std::size_t i = 0; i < 40; ++i) {
    at += kMillisecond + as_signed(i * 7919 % 997) * kMicrosecond;
    stream.push_back({name, at - 30 * kMicrosecond, at});
  }
  return std::make_shared<const UnitCollectives>(std::vector<CollectiveStream>{std::move(stream)});
}

// Compares clocks. `different`: what the unit in the middle has; all others have the same.
void compare_clocks(Meter& meter, std::size_t n, const std::shared_ptr<const UnitCollectives>& same,
                    const std::shared_ptr<const UnitCollectives>& different) {
  std::vector<ClockUnit> units(n, ClockUnit{same});
  units[n / 2].collectives = different;
  ComparedPairs pairs;
  std::vector<CollectiveClock> clocks;
  meter.stage("compare", [&] { clocks = collective_clocks(units, pairs); });
  CHECK(clocks.front().known() == (same->size() > 0));
  CHECK(!clocks[n / 2].known());
}

const GrowthKind kUnitKinds[] = {
    {"units without collectives", 640, [](Meter& meter, std::size_t n) {
       const auto none = std::make_shared<const UnitCollectives>(std::vector<CollectiveStream>());
       compare_clocks(meter, n, none, none);
     }},
    {"units of which one has other collectives", 512, [](Meter& meter, std::size_t n) {
       compare_clocks(meter, n, some_collectives(0), some_collectives(1));
     }},
};

// Compares the barriers of a rollout with n steps.
std::function<void(Meter&, std::size_t)> barriers(std::function<void(HandRollout& rollout, std::size_t n)> add_steps) {
  return [add_steps = std::move(add_steps)](Meter& meter, std::size_t n) {
    HandRollout hand;
    add_steps(hand, n);
    const auto rollout = hand.build();
    BarrierClocks clocks;
    meter.stage("barriers", [&] { clocks = barrier_clocks(*rollout); });
    CHECK(clocks.steps == n);
  };
}

void add_barrier(HandRollout& rollout, int run, int step, int worker) {
  rollout.phase({.step = step, .worker = worker, .end = 60.0 * step + 10, .seconds = 1, .run = run});
}

const GrowthKind kBarrierKinds[] = {
    {"runs with a barrier", 1024, barriers([](HandRollout& rollout, std::size_t n) {
       for (int run = 0; run < static_cast<int>(n); ++run) {
         for (const int worker : {0, 1}) add_barrier(rollout, run, 1, worker);
       }
     })},
    {"workers that only a chain of steps connects", 2048, barriers([](HandRollout& rollout, std::size_t n) {
       for (int step = 1; step <= static_cast<int>(n); ++step) {
         for (const int back : {1, 0}) add_barrier(rollout, 0, step, static_cast<int>(n) + 1 - step - back);
       }
     })},
};

}  // namespace

TEST_SUITE("growth") {
  TEST_CASE("growth: placing logs costs at most n log n") { check_growth(kLogKinds); }
  TEST_CASE("growth: comparing clocks costs at most n log n") { check_growth(kUnitKinds); }
  TEST_CASE("growth: comparing barriers costs at most n log n") { check_growth(kBarrierKinds); }
}
