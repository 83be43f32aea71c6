// What the two timelines of a split view show, and which points are aligned.
#include "core/view/timeline/split.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "core/analysis/gpu/step_ranges.h"
#include "core/view/lanes/shown_lanes.h"
#include "tests/support/gen_trace.h"

using namespace tv;
using namespace tv::test;

namespace {

// Two runs, a and b, of two workers each: slices of 100 from 1000 on, and of 50 from 5000 on.
std::shared_ptr<const Trace> two_runs() {
  TraceSketch sketch;
  for (const bool second : {false, true}) {
    for (int worker = 0; worker < 2; ++worker) {
      const std::string track = (second ? "b" : "a") + std::to_string(worker);
      LaneSpec spec;
      const std::string run = second ? "run_b" : "run_a";
      spec.path = {{run, 0, {}, {.run = run}}, {"worker " + std::to_string(worker)}};
      sketch.lane(track, spec);
      for (int i = 0; i < 3; ++i) sketch.slice(track, (second ? 5000 : 1000) + i * 200 + worker * 10, second ? 50 : 100);
    }
  }
  return sketch.build();
}

StepSource steps_of_run(const char* run, Ns begin, Ns length, int first) {
  StepSource source{StepsOf::Rollout, run, "step", {}};
  for (int i = 0; i < 3; ++i) {
    const int number = first + i;
    source.steps.push_back({number, number, {begin + i * 200, begin + i * 200 + length}, "step " + std::to_string(number)});
  }
  return source;
}

struct Scene {
  std::shared_ptr<const Trace> trace = two_runs();
  Ns origin = trace->origin_ns;
  std::vector<StepSource> steps = {steps_of_run("run_a", 1000 - origin, 100, 1), steps_of_run("run_b", 5000 - origin, 50, 1)};
  std::vector<std::string> runs = {"run_a", "run_b"};

  SplitScene scene() const {
    SplitScene out;
    out.trace = trace.get();
    out.runs = runs;
    out.steps = steps;
    return out;
  }
  std::string key(const char* name) const {
    const std::vector<std::string> keys = lane_keys(*trace);
    for (std::size_t l = 0; l < keys.size(); ++l) {
      if (trace->lanes[l].name == name) return keys[l];
    }
    FAIL("no lane ", name);
    return {};
  }
};

std::vector<std::string> paths_shown(const Trace& trace, const LaneState& state) {
  std::vector<std::string> out;
  for (const ShownLane& lane : shown_lanes(trace, state).lanes) {
    std::string path;
    for (const std::string& part : trace.path_of(lane.lane)) path += (path.empty() ? "" : "/") + part;
    out.push_back(path);
  }
  return out;
}

}  // namespace

TEST_CASE("split: the lower half is later by the difference, and the text says so") {
  Split split;
  split.at = {100, 350};
  CHECK(split.difference() == 250);
  CHECK(split.later(SplitHalf::Upper) == 0);
  CHECK(split.later(SplitHalf::Lower) == 250);
  CHECK(split_difference(split) == "250 ns later than above");
  std::swap(split.at[0], split.at[1]);
  CHECK(split_difference(split) == "250 ns earlier than above");
  split.at[0] = split.at[1];
  CHECK(split_difference(split) == "the same time as above");
  for (std::size_t b = 0; b < static_cast<std::size_t>(SplitBy::kCount); ++b) CHECK(split_by(name(static_cast<SplitBy>(b))) == static_cast<SplitBy>(b));
  CHECK(split_by("anything") == std::nullopt);
}

TEST_CASE("split: two runs have one half each, aligned at their starts") {
  const Scene of;
  const Split split = first_split(of.scene());
  CHECK(split.by == SplitBy::Starts);
  CHECK(split.lanes[0] == std::vector{of.key("run_a")});
  CHECK(split.lanes[1] == std::vector{of.key("run_b")});
  CHECK(split.difference() == 4000);
  CHECK(split_title(*of.trace, split, of.steps, SplitHalf::Lower).text() == "run_b");
  CHECK(paths_shown(*of.trace, lanes_of_half(*of.trace, {}, split.lanes[1], {})) ==
        std::vector<std::string>{"run_b", "run_b/worker 0", "run_b/worker 1"});
}

TEST_CASE("split: a lane belongs to the run of its owner, whatever its name") {
  TraceSketch sketch;
  const std::string runs[] = {"run_a", "run_b"};
  for (std::size_t r = 0; r < 2; ++r) {
    LaneSpec spec;
    spec.path = {{"log " + std::to_string(r), 0, {}, {.run = runs[r]}}, {"worker 0"}};
    sketch.lane(runs[r], spec).slice(runs[r], r == 0 ? 1000 : 5000, 100);
  }
  LaneSpec other;
  other.path = {{"run_b (run 2)"}, {"thread 1"}};
  sketch.lane("other", other).slice("other", 1000, 10);
  Scene of;
  of.trace = sketch.build();
  const std::vector<RunLanes> found = runs_to_split(*of.trace, of.runs);
  REQUIRE(found.size() == 2);
  const auto names = [&](const RunLanes& run) {
    std::string out;
    for (const LaneId lane : run.lanes) out += of.trace->lane(lane).name + ", ";
    return out;
  };
  CHECK(names(found[0]) == "log 0, run_b (run 2), ");
  CHECK(names(found[1]) == "log 1, run_b (run 2), ");
  CHECK(steps_on(*of.trace, of.steps, std::vector{of.key("log 1")}) == &of.steps[1]);
}

TEST_CASE("split: while a step is shown, two runs are aligned at the step of that number") {
  Scene of;
  SplitScene scene = of.scene();
  scene.everything = false;
  scene.step = 1250 - of.origin;
  scene.step_number = 2;
  const Split split = first_split(scene);
  CHECK(split.by == SplitBy::Steps);
  CHECK(split.at[0] == 1200 - of.origin);
  CHECK(split.at[1] == 5200 - of.origin);
  CHECK(split_title(*of.trace, split, of.steps, SplitHalf::Upper).text() == "run_a, step 2");
  CHECK(split_title(*of.trace, split, of.steps, SplitHalf::Lower).text() == "run_b, step 2");

  of.steps[1] = steps_of_run("run_b", 5000 - of.origin, 50, 7);  // without a step 2, its own second step is used
  scene.steps = of.steps;
  const Split odd = first_split(scene);
  CHECK(split_title(*of.trace, odd, of.steps, SplitHalf::Lower).text() == "run_b, step 8");
}

TEST_CASE("split: one run shows the current step and the next one, or the last two steps at the end") {
  Scene of;
  of.runs.clear();
  of.steps.pop_back();
  for (const int looked_at : {0, 1, 2}) {
    SplitScene scene = of.scene();
    scene.step = of.steps[0].steps[static_cast<std::size_t>(looked_at)].range.begin;
    const Split split = first_split(scene);
    const int above = std::min(looked_at, 1);
    CAPTURE(looked_at);
    CHECK(split.by == SplitBy::Steps);
    CHECK(split.lanes[0].empty());
    CHECK(split.at[0] == 1000 + above * 200 - of.origin);
    CHECK(split.difference() == 200);
    CHECK(split_title(*of.trace, split, of.steps, SplitHalf::Upper).text() == "all lanes, step " + std::to_string(above + 1));
  }
}

TEST_CASE("split: two selected slices are aligned, whatever else there is") {
  const Scene of;
  SplitScene scene = of.scene();
  const SliceId first = of.trace->slices_of(of.trace->rows.front()).id(1), last = of.trace->slices_of(of.trace->rows.back()).id(2);
  scene.slices = {first, last};
  const Split split = first_split(scene);
  CHECK(split.by == SplitBy::Slices);
  CHECK(split.at[0] == of.trace->begin_of(first));
  CHECK(split.at[1] == of.trace->begin_of(last));
  CHECK(split.lanes[0].empty());
  CHECK(split_title(*of.trace, split, of.steps, SplitHalf::Lower, "gemm").text() == "all lanes, gemm");
}

TEST_CASE("split: without runs and steps, two outermost groups are shown, or a single group twice") {
  Scene of;
  of.runs.clear();
  of.steps.clear();
  Split ranks;
  ranks.lanes = {std::vector{of.key("run_a")}, std::vector{of.key("run_b")}};
  CHECK(first_split(of.scene()) == ranks);
  SplitScene one_step = of.scene();
  const std::vector<StepSource> alone = {{StepsOf::Rollout, "run_a", "step", {{1, 1, {0, 10}, "step 1"}}}};
  one_step.steps = alone;
  CHECK(first_split(one_step) == ranks);
  TraceSketch sketch;
  LaneSpec spec;
  spec.path = {{"rank 0"}, {"stream 7"}};
  sketch.lane("s", spec).slice("s", 0, 10);
  const auto one_group = sketch.build();
  SplitScene scene;
  scene.trace = one_group.get();
  CHECK(first_split(scene) == Split());
}

TEST_CASE("split: one half moves to another step while the other stays") {
  const Scene of;
  const SplitScene scene = of.scene();
  Split split = first_split(scene);
  align(split, SplitBy::Steps, scene, SplitHalf::Upper, 0);
  CHECK(split.difference() == 4000);
  align(split, SplitBy::Steps, scene, SplitHalf::Lower, 2);
  CHECK(split.at[0] == 1000 - of.origin);
  CHECK(split.at[1] == 5400 - of.origin);
  align(split, SplitBy::Steps, scene, SplitHalf::Upper, 99);  // the last step
  CHECK(split.at[0] == 1400 - of.origin);
  align(split, SplitBy::Recorded, scene);
  CHECK(split.difference() == 0);
  const Split before = split;
  align(split, SplitBy::Slices, scene);  // none are selected
  CHECK(split == before);
}

TEST_CASE("split: a half shows only lanes that are not hidden") {
  const Scene of;
  LaneState lanes;
  lanes.hidden = {of.key("run_a")};
  CHECK(paths_shown(*of.trace, lanes_of_half(*of.trace, lanes, {}, {})) == std::vector<std::string>{"run_b", "run_b/worker 0", "run_b/worker 1"});
  const std::string worker = lane_keys(*of.trace).back();
  CHECK(paths_shown(*of.trace, lanes_of_half(*of.trace, lanes, std::vector{worker}, {})) == std::vector<std::string>{"run_b", "run_b/worker 1"});
  lanes = {};
  lanes.only = {of.key("run_b")};
  CHECK(paths_shown(*of.trace, lanes_of_half(*of.trace, lanes, std::vector{worker}, {})) == std::vector<std::string>{"run_b", "run_b/worker 1"});
  // A half lists the lanes of its own overview first, then those of the shared one.
  lanes = {};
  const std::vector<std::string> keys = lane_keys(*of.trace);
  lanes.overview = {{keys[1], false, 0}, {keys[4], false, 0}, {keys[5], false, 0}};
  const LaneState half = lanes_of_half(*of.trace, lanes, std::vector{of.key("run_b")}, {{keys[5], true, 0}});
  CHECK(paths_shown(*of.trace, half) == std::vector<std::string>{"run_b/worker 1", "run_b/worker 0"});
}

TEST_CASE("split: lanes that no longer exist are left out, and a half without lanes shows all") {
  const Scene of;
  Split split = first_split(of.scene());
  split.lanes[0].push_back("nowhere");
  split.lanes[1] = {"nowhere"};
  leave_out_gone_lanes(split, *of.trace);
  CHECK(split.lanes[0] == std::vector{of.key("run_a")});
  CHECK(split.lanes[1].empty());
  CHECK(extent_on(*of.trace, split.lanes[0]).begin == 1000 - of.origin);
  CHECK(extent_on(*of.trace, {}).end == 5460 - of.origin);
  CHECK(steps_on(*of.trace, of.steps, std::vector{of.key("run_b")}) == &of.steps[1]);
  CHECK(steps_on(*of.trace, {}, {}) == nullptr);
}
