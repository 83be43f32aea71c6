// Which rollout belongs to which step, by lengths, starts and other known facts.
#include "core/store/clock/step_alignment.h"

#include <doctest/doctest.h>

#include <string>

#include "core/store/clock/step_slices.h"

using namespace tv;

namespace {

constexpr Ns kStart = 1'777'626'000 * kSecond;

Ns at(double seconds) { return kStart + static_cast<Ns>(seconds * 1e9); }

// A training run: each call adds what happens next to the log and to the rollouts.
struct Training {
  std::vector<LoggedStep> steps;
  std::vector<RolloutSpan> rollouts;
  std::vector<std::size_t> rollout_of;  // of each step
  double time = 0;
  std::int64_t calls = 0;

  void validate(double length) {
    rollouts.push_back({++calls, RecordedRange::of({at(time), at(time + length)})});
    time += length + 1;
  }
  void step(std::int64_t number, double rollout, double rest, double testing = 0) {
    rollout_of.push_back(rollouts.size());
    rollouts.push_back({++calls, RecordedRange::of({at(time), at(time + rollout)})});
    time += rollout + 0.2 + rest;
    if (testing > 0) validate(testing - 1);
    steps.push_back({number, rollout + 0.2 + rest + testing, 0, rollout + 0.2, testing});
    time += 0.1;
  }
};

constexpr double kRollouts[] = {20.1, 18.4, 22.7, 19.6, 24.2, 17.9, 21.3};
constexpr double kRests[] = {15, 21.5, 12, 18, 25, 14.5, 20};

Training plain(int count, double first_validation, int test_every = 0) {
  Training run;
  if (first_validation > 0) run.validate(first_validation);
  for (int k = 1; k <= count; ++k) {
    const bool tests = test_every > 0 && k % test_every == 0;
    run.step(k, kRollouts[k % 7], kRests[(k * 3) % 7], tests ? 16.5 : 0);
  }
  return run;
}

void check_true(const StepAlignment& found, const Training& run, std::size_t least) {
  INFO(found.why_not);
  CHECK(found.steps.size() >= least);
  for (const AlignedStep& step : found.steps) CHECK(step.rollout == run.rollout_of[step.logged]);
}

}  // namespace

TEST_CASE("step_alignment: steps are found although validations before and between them take rollout numbers") {
  check_true(align_steps(plain(8, 0).steps, plain(8, 0).rollouts, {}, false), plain(8, 0), 8);
  check_true(align_steps(plain(8, 19).steps, plain(8, 19).rollouts, {}, false), plain(8, 19), 8);
  check_true(align_steps(plain(12, 19, 4).steps, plain(12, 19, 4).rollouts, {}, false), plain(12, 19, 4), 12);
}

TEST_CASE("step_alignment: steps are found after a restart that repeats steps and numbers rollouts from 1 again") {
  Training run = plain(7, 19);
  run.rollouts.push_back({9, RecordedRange::of({at(run.time), at(run.time + 11)})});  // cut off
  run.time += 200;
  run.calls = 0;
  run.validate(18);
  for (int k = 6; k <= 12; ++k) run.step(k, kRollouts[k % 5], kRests[(k * 2) % 7]);
  check_true(align_steps(run.steps, run.rollouts, {}, false), run, 14);
}

TEST_CASE("step_alignment: missing rollouts do not affect the steps before and after them") {
  for (const std::size_t missing : {1u, 2u}) {
    CAPTURE(missing);
    Training run = plain(10, 19);
    const auto first = run.rollouts.begin() + static_cast<std::ptrdiff_t>(run.rollout_of[4]);
    run.rollouts.erase(first, first + static_cast<std::ptrdiff_t>(missing));
    for (std::size_t step = 4; step < 10; ++step) run.rollout_of[step] -= missing;
    for (std::size_t step = 4; step < 4 + missing; ++step) run.rollout_of[step] = SIZE_MAX;
    check_true(align_steps(run.steps, run.rollouts, {}, false), run, 10 - missing);
  }
}

TEST_CASE("step_alignment: equal steps, a single step and another run are no evidence") {
  Training alike;
  for (int k = 1; k <= 8; ++k) alike.step(k, 20, 17);
  CHECK(align_steps(alike.steps, alike.rollouts, {}, false).steps.empty());
  // By chance they fit just as well: any two follow each other like real neighbours.
  CHECK(align_steps(alike.steps, alike.rollouts, {}, false).why_not ==
        "8 steps fit no better than by chance: they are too few or too similar (evidence 0.0, 5 is needed)");

  const Training one = plain(1, 0);
  CHECK(align_steps(one.steps, one.rollouts, {}, false).steps.empty());
  CHECK(align_steps(one.steps, one.rollouts, {}, false).why_not == "a single step that fits is no evidence");

  Training other;
  for (int k = 1; k <= 8; ++k) other.step(k, kRollouts[(k * 3 + 1) % 7], kRests[(k * 5 + 2) % 7]);
  CHECK(align_steps(plain(8, 0).steps, other.rollouts, {}, false).steps.empty());
}

TEST_CASE("step_alignment: a trace of one step identifies steps that are all alike, and the time zone") {
  Training run;
  run.validate(20);
  for (int k = 1; k <= 8; ++k) run.step(k, 20, 17);
  const RecordedTime begins = run.rollouts[run.rollout_of[2]].extent.begin;  // step 3
  const KnownPlace known{2, begins - kSecond / 2, begins + kSecond / 2, "trace"};
  const StepAlignment found = align_steps(run.steps, run.rollouts, {known}, false);
  check_true(found, run, 8);

  constexpr Ns kEast = 23 * kZoneStep;  // UTC+5:45
  std::vector<RolloutSpan> local = run.rollouts;
  for (RolloutSpan& span : local) span.extent = span.extent + kEast;
  const StepAlignment zoned = align_steps(run.steps, local, {known}, true);
  check_true(zoned, run, 8);
  CHECK(zoned.east == kEast);
  CHECK(!align_steps(run.steps, local, {}, true).east);

  // A trace that lies in no step refutes any other match.
  const Training clear = plain(8, 19);
  const KnownPlace elsewhere{2, begins + 5 * 60 * kSecond, begins + 5 * 60 * kSecond, "trace"};
  CHECK(align_steps(clear.steps, clear.rollouts, {elsewhere}, false).steps.empty());
}

TEST_CASE("lay_end_to_end: a log with a single known time ends or begins at that time") {
  const auto laid = [](std::string_view name, std::uint32_t steps_before) {
    MetricLog log;
    log.files.push_back({0, "iteration", {}});
    for (int i = 0; i < 3; ++i) {
      MetricStep step;
      step.step = step.first_step = i + 1;
      step.duration = 10 * kSecond;
      log.steps.push_back(step);
    }
    if (!name.empty()) log.marks.push_back({log.name_id(name), 0, steps_before, kStart, 0});
    lay_end_to_end(log);
    return log;
  };
  const MetricLog ends = laid("exiting program", 3), begins = laid("after megatron is initialized", 0),
                  unknown = laid({}, 0);
  CHECK(ends.steps.front().begin == kStart - 30 * kSecond);
  CHECK(ends.steps.back().begin + ends.steps.back().duration == kStart);
  CHECK(begins.steps.front().begin == kStart);
  CHECK(unknown.steps.front().begin == 0);
}
