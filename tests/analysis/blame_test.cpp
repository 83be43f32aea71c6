#include "core/analysis/rollout/blame.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "tests/support/gen_rollout.h"
#include "tests/support/gen_trace.h"
#include "tests/support/hand_rollout.h"

using namespace tv;
using namespace tv::test;

namespace {

// The sum of all waits except those of each step's slowest worker, by brute force.
double all_waits_but_the_slowest(const Rollout& rollout) {
  double sum = 0;
  for (std::uint32_t s = 0; s < rollout.steps.size(); ++s) {
    Ns last = -1;
    std::uint32_t slowest = 0;
    for (RequestIx r = 0; r < rollout.size(); ++r) {
      if (rollout.step[r] == s && rollout.end[r] > last) {
        last = rollout.end[r];
        slowest = rollout.worker[r];
      }
    }
    for (const WorkerStep& file : rollout.worker_steps) {
      if (file.step != s || file.worker == slowest) continue;
      for (const std::uint32_t p : file.phases) {
        const RolloutPhase& phase = rollout.log().phases[p];
        if (rollout.log().text(phase.event) == "barrier_wait_duration") sum += phase.seconds;
      }
    }
  }
  return sum;
}

}  // namespace

TEST_CASE("blame: a hand-made step has the expected culprit, waits and lost time") {
  // Worker 4 ends last, at 10, with its second request. Workers 2 and 6 end at 6 and 9 and wait 4 and 1 s: 5 lost.
  // Worker 4's own wait of 0.01 s is listed but not lost. Worker 2's wait ends 0.2 s after the request.
  const auto rollout = HandRollout()
                           .add({.worker = 2, .begin = 0, .seconds = 6})
                           .add({.worker = 4, .begin = 0, .seconds = 3})
                           .add({.worker = 4, .begin = 1, .seconds = 9})
                           .add({.worker = 6, .begin = 0, .seconds = 9})
                           .phase({.worker = 2, .end = 10.2, .seconds = 4})
                           .phase({.worker = 4, .end = 10.01, .seconds = 0.01})
                           .phase({.worker = 6, .end = 10, .seconds = 1})
                           .phase({.worker = 6, .end = 11, .seconds = 1, .event = "broadcast_duration"})
                           .build();
  const BlameLedger ledger = blame(*rollout);
  REQUIRE(ledger.entries.size() == 1);
  const Blame& entry = ledger.entries[0];
  CHECK(rollout->workers[entry.worker] == 4);
  CHECK(rollout->begin[entry.request] == kSecond);
  CHECK(entry.lost == doctest::Approx(5));
  CHECK(ledger.lost == doctest::Approx(5));
  CHECK(entry.after == doctest::Approx(0.2));
  REQUIRE(entry.waits.size() == 2);
  CHECK(entry.waits[0].seconds == 4);  // longest first
  CHECK(rollout->workers[rollout->worker_steps[entry.waits[1].worker_step].worker] == 6);
  REQUIRE(entry.culprit_waits.size() == 1);
  CHECK(entry.culprit_waits[0].seconds == 0.01);

  CHECK(blamed(*rollout, entry.waits[1].phase)->request == entry.request);
  CHECK_FALSE(blamed(*rollout, entry.waits[1].phase)->is_culprit);
  CHECK(blamed(*rollout, entry.culprit_waits[0].phase)->is_culprit);
  CHECK(entry_of(ledger, entry.request) == &entry);
  CHECK(entry_of(ledger, entry.request + 1) == nullptr);
  for (std::uint32_t p = 0; p < rollout->log().phases.size(); ++p) {
    const bool barrier = rollout->log().text(rollout->log().phases[p].event) == "barrier_wait_duration";
    CHECK(blamed(*rollout, p).has_value() == barrier);
  }
}

TEST_CASE("blame: ties go to the lower worker, then to the first request") {
  const auto rollout = HandRollout()
                           .add({.worker = 1, .begin = 0, .seconds = 5})
                           .add({.worker = 1, .begin = 1, .seconds = 4})
                           .add({.worker = 3, .begin = 0, .seconds = 5})
                           .phase({.worker = 3, .end = 5, .seconds = 0})
                           .build();
  const BlameLedger ledger = blame(*rollout);
  REQUIRE(ledger.entries.size() == 1);
  CHECK(ledger.entries[0].request == 0);
  CHECK(ledger.lost == 0);
}

TEST_CASE("blame: there are no entries without several workers, barrier lines and requests") {
  CHECK(blame(*HandRollout().build()).entries.empty());
  const HandRequest request{.worker = 0, .begin = 0, .seconds = 5};
  const HandPhase wait{.worker = 0, .end = 6, .seconds = 1};
  CHECK(blame(*HandRollout().add(request).phase(wait).build()).entries.empty());          // one worker
  CHECK(blame(*HandRollout().add(request).file(1, 1).build()).entries.empty());         // no barrier lines
  CHECK(blame(*HandRollout().phase(wait).file(1, 1).build()).entries.empty());            // no requests
  const auto alone = HandRollout().add(request).phase(wait).build();
  CHECK_FALSE(blamed(*alone, 0).has_value());
}

TEST_CASE("blame: equal step numbers of two runs are separate steps, and a step with one worker has no entry") {
  // Step 1 of run 0 and of run 1 are different steps; worker 1 is missing in step 2. A NaN wait counts as 0.
  const auto rollout = HandRollout()
                           .add({.worker = 0, .begin = 0, .seconds = 2})
                           .add({.worker = 1, .begin = 0, .seconds = 5})
                           .phase({.worker = 0, .end = 5, .seconds = 3})
                           .add({.step = 2, .worker = 0, .begin = 10, .seconds = 2})
                           .phase({.step = 2, .worker = 0, .end = 15, .seconds = 3})
                           .add({.worker = 0, .begin = 100, .seconds = 9, .run = 1})
                           .add({.worker = 1, .begin = 100, .seconds = 1, .run = 1})
                           .phase({.worker = 1, .end = 109, .seconds = 8, .run = 1})
                           .phase({.worker = 1, .end = 109, .seconds = std::nan(""), .run = 1})
                           .build();
  const BlameLedger ledger = blame(*rollout);
  REQUIRE(ledger.entries.size() == 2);
  CHECK(rollout->steps[ledger.entries[0].step].run == 1);  // 8 s before 3 s
  CHECK(rollout->workers[ledger.entries[0].worker] == 0);
  CHECK(rollout->workers[ledger.entries[1].worker] == 1);
  CHECK(ledger.lost == doctest::Approx(11));
}

TEST_CASE("blame: each wait of the other workers is attributed to exactly one request") {
  for (const std::uint64_t seed : seeds(50)) {
    CAPTURE(seed);
    const int steps = 1 + static_cast<int>(seed % 5), workers = 1 + static_cast<int>(seed % 4);
    const auto rollout =
        gen_rollout(seed, {.steps = steps, .workers = workers, .requests = 1 + static_cast<int>(seed % 7)});
    const BlameLedger ledger = blame(*rollout);
    CHECK(ledger.entries.size() == (workers > 1 ? static_cast<std::size_t>(steps) : 0));
    CHECK(ledger.lost == doctest::Approx(workers > 1 ? all_waits_but_the_slowest(*rollout) : 0).epsilon(1e-12));
    CHECK(std::ranges::is_sorted(ledger.entries, std::greater{}, &Blame::lost));
    for (const Blame& entry : ledger.entries) {
      for (const BarrierWait& wait : entry.waits) CHECK(blamed(*rollout, wait.phase)->request == entry.request);
      // Waits end when the culprit does: the generator's clocks agree.
      CHECK(entry.after < 1e-6);
    }
  }
}
