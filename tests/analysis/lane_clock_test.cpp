// The files that set a lane's clock, against a walk over all its slices, and their offsets after a move.
#include "core/analysis/clocks/lane_clock.h"

#include <doctest/doctest.h>

#include <set>

#include "tests/support/gen_segments.h"

using namespace tv;
using namespace tv::test;

namespace {

std::set<std::string> files_on(const Trace& trace, LaneId id) {
  std::set<std::string> files;
  for (std::size_t l = idx(id); l < idx(trace.lane(id).subtree_end); ++l) {
    for (const Row& row : trace.rows_of(trace.lane(id_at<LaneId>(l)))) {
      for (const SliceId slice : trace.ids_of(row)) files.insert(trace.sources[idx(trace.ref_of(slice).source())].path);
    }
  }
  return files;
}

}  // namespace

TEST_CASE("lane_clock: a lane's clock lists the files of the slices on it and below, in one segment or several") {
  for (const std::uint64_t seed : seeds(30)) {
    CAPTURE(seed);
    const bool shared = seed % 3 == 0;
    const auto view = compose(segments_of(seed, 3, shared)).value();
    for (const auto& trace : {view, all_at_once(seed, 3, shared)}) {
      for (std::size_t l = 0; l < trace->lanes.size(); ++l) {
        const LaneClock clock = clock_of_lane(*trace, id_at<LaneId>(l));
        std::set<std::string> files;
        for (const LaneClock::File& file : clock.files) files.insert(file.path);
        CHECK(files == files_on(*trace, id_at<LaneId>(l)));
        CHECK(files.size() == clock.files.size());
        CHECK(clock.why_fixed.empty() != files.empty());
      }
    }
  }
}

TEST_CASE("lane_clock: a move adds to the offsets of the lane's files, and other files stay") {
  const LaneClock one{{{"run/rank0.json", 500}}, "rank0.json", {}};
  const ClockOffsets now{{"rank1.json", 7}, {"run/rank0.json", 500}};
  CHECK(moved_by(one, 1'500, now) == ClockOffsets{{"run/rank0.json", 2'000}, {"rank1.json", 7}});
  CHECK(moved_by(one, std::numeric_limits<Ns>::max(), {}) == ClockOffsets{{"run/rank0.json", kLongestClockOffset}});
  // Dragged back to its old position, a file gets no user offset that would replace the one from collectives.
  CHECK(moved_by(one, 0, now) == now);
  // An offset of half a zone step or more would replace the found time zone, so the zone is added to it.
  const LaneClock log{{{"train.log", 0, -9 * 3600 * kSecond}}, "train.log", {}};
  CHECK(moved_by(log, kSecond, {}) == ClockOffsets{{"train.log", kSecond}});
  CHECK(moved_by(log, 3600 * kSecond, {}) == ClockOffsets{{"train.log", -8 * 3600 * kSecond}});
  // The files of all steps of a worker become one pattern if their offsets are equal.
  LaneClock worker{{{"exp/step_1/worker_3.jsonl", 0}, {"exp/step_2/worker_3.jsonl", 0}}, "2 files", {}};
  CHECK(moved_by(worker, 5, {}) == ClockOffsets{{"exp/step_*/worker_3.jsonl", 5}});
  worker.files[1].offset = 2;
  CHECK(moved_by(worker, 5, {}) == ClockOffsets{{"exp/step_1/worker_3.jsonl", 5}, {"exp/step_2/worker_3.jsonl", 7}});
}

TEST_CASE("lane_clock: the text during a drag names the file and the move, or says why the clock is fixed") {
  LaneClock clock{{{"run/rank0.json", 0}}, "rank0.json", {}};
  CHECK(drag_text(clock, 1'500'000) == "rank0.json: clock moved by +1.5ms  (Esc: as it was)");
  clock.files[0].offset = -500'000;
  CHECK(drag_text(clock, 1'500'000) == "rank0.json: clock moved by +1.5ms, now +1ms  (Esc: as it was)");
  clock.why_fixed = "nothing there";
  CHECK(drag_text(clock, 1'500'000) == "nothing there");
}
