#include "core/analysis/gpu/same_gpus.h"

#include <doctest/doctest.h>

#include <fmt/format.h>

#include <algorithm>

#include "core/analysis/gpu/gpu_marks.h"
#include "core/store/segments/compose.h"
#include "core/store/trace/trace_builder.h"
#include "tests/support/gen_gpu.h"

using namespace tv;
using namespace tv::test;

namespace {

// Up to three ranks, in their own group, or on lanes shared with others.
std::shared_ptr<const Trace> ranks_of(std::uint64_t seed, bool in_group) {
  SourceView view = gen_gpu_trace(seed).view();
  view.info.path = fmt::format("ranks_{}.json", seed);
  for (auto& [track, spec] : view.lanes) {
    if (in_group) spec.path.insert(spec.path.begin(), {view.info.path});
  }
  return build_trace({std::move(view)}, test_pool());
}

std::shared_ptr<const Trace> view_of(const Segments& segments, const std::vector<Ns>& manual_offsets) {
  return compose(segments, PlaceBy::Recorded, manual_offsets).value();
}

void check_equal(const GpuActivity& a, const GpuActivity& b) {
  REQUIRE(a.gpus.size() == b.gpus.size());
  CHECK(a.communicates == b.communicates);
  CHECK(a.extent == b.extent);
  CHECK(a.bin == b.bin);
  CHECK(a.first_bin == b.first_bin);
  for (std::size_t g = 0; g < a.gpus.size(); ++g) {
    const Gpu &one = a.gpus[g], &other = b.gpus[g];
    CAPTURE(other.name);
    CHECK(one.name == other.name);
    CHECK(one.group == other.group);
    CHECK(one.process == other.process);
    CHECK(one.rows == other.rows);
    CHECK(one.slices == other.slices);
    CHECK(one.communicates == other.communicates);
    CHECK(one.span == other.span);
    CHECK(one.unrecorded == other.unrecorded);
    CHECK(one.time == other.time);
    CHECK(one.longest_gap == other.longest_gap);
    CHECK(one.bins == other.bins);
  }
}

void check_equal(const GpuMarks& a, const GpuMarks& b) {
  REQUIRE(a.steps.size() == b.steps.size());
  for (std::size_t s = 0; s < a.steps.size(); ++s) {
    CHECK(a.steps[s].gpus == b.steps[s].gpus);
    CHECK(a.steps[s].time == b.steps[s].time);
    CHECK(a.steps[s].recorded == b.steps[s].recorded);
    CHECK(a.steps[s].outside == b.steps[s].outside);
  }
  REQUIRE(a.exposed.lanes.size() == b.exposed.lanes.size());
  for (std::size_t l = 0; l < a.exposed.lanes.size(); ++l) {
    const ExposedSpans &one = a.exposed.lanes[l], &other = b.exposed.lanes[l];
    CHECK(one.lane == other.lane);
    CHECK(one.spans == other.spans);
    CHECK(one.before == other.before);
    CHECK(one.total == other.total);
    CHECK(one.recorded == other.recorded);
    CHECK(one.gpu == other.gpu);
  }
}

struct Analysed {
  std::shared_ptr<const GpuActivity> activity;
  std::vector<StepSource> steps;
  std::shared_ptr<const GpuMarks> marks;
};

Analysed analysed(const std::shared_ptr<const Trace>& trace, const Analysed* earlier) {
  Analysed made;
  made.activity = make_gpu_activity(trace, test_pool(), {}, earlier ? earlier->activity.get() : nullptr);
  made.steps = steps_of(*trace, nullptr);
  made.marks = make_gpu_marks(made.activity, &made.steps, test_pool(), earlier ? earlier->marks.get() : nullptr);
  return made;
}

}  // namespace

TEST_CASE("same_gpus: reusing an earlier view changes no result when files are opened, closed or moved") {
  std::size_t known = 0, moved = 0, in_all = 0;
  for (const std::uint64_t seed : seeds(40)) {
    CAPTURE(seed);
    Random random(seed);
    Segments all, open;
    for (std::uint64_t s = 0; s < 6; ++s) all.push_back(ranks_of(100 * seed + s, seed % 3 != 0));
    open = {all[0], all[1]};
    std::vector<Ns> manual_offsets(2, 0);
    Analysed before = analysed(view_of(open, manual_offsets), nullptr);
    for (int turn = 0; turn < 8; ++turn) {
      CAPTURE(turn);
      const auto place = static_cast<std::size_t>(random.in(0, static_cast<std::int64_t>(open.size()) - 1));
      const auto at = static_cast<std::ptrdiff_t>(place);
      const auto next = std::ranges::find_if(all, [&](const auto& s) { return std::ranges::count(open, s) == 0; });
      if (next != all.end() && random.chance(0.4)) {
        open.insert(open.begin() + at, *next);
        manual_offsets.insert(manual_offsets.begin() + at, 0);
      } else if (open.size() > 1 && random.chance(0.3)) {
        open.erase(open.begin() + at);
        manual_offsets.erase(manual_offsets.begin() + at);
      } else {
        manual_offsets[place] = random.in(-3'000, 3'000);
      }
      const auto view = view_of(open, manual_offsets);
      const Analysed now = analysed(view, &before), anew = analysed(view, nullptr);
      check_equal(*now.activity, *anew.activity);
      check_equal(*now.marks, *anew.marks);
      for (const SameGpu& gpu : same_gpus(*now.activity, before.activity.get())) {
        ++in_all;
        known += gpu.is_known() ? 1 : 0;
        moved += gpu.is_known() && gpu.moved != 0 ? 1 : 0;
      }
      before = now;
    }
  }
  CHECK(known > in_all / 4);
  CHECK(moved > 0);
  CHECK(known < in_all);
}

TEST_CASE("same_gpus: nothing is reused under other rules or for a part of the trace") {
  const auto view = view_of({ranks_of(1, true), ranks_of(2, true)}, {});
  const auto all = make_gpu_activity(view, test_pool());
  const auto count = [](const std::vector<SameGpu>& same) { return std::ranges::count_if(same, &SameGpu::is_known); };
  const auto as_many = static_cast<std::ptrdiff_t>(all->gpus.size());
  REQUIRE(as_many > 1);
  CHECK(count(same_gpus(*all, all.get())) == as_many);
  CHECK(count(same_gpus(*all, nullptr)) == 0);
  const CommunicationRules rules("gemm");
  const auto by_rules = make_gpu_activity(view, test_pool(), rules, all.get());
  CHECK(count(same_gpus(*by_rules, all.get())) == 0);
  check_equal(*by_rules, *make_gpu_activity(view, test_pool(), rules));
  const auto part = activity_within(all, Scope{{0, view->extent.end / 2}, {}}, test_pool());
  REQUIRE(part);
  CHECK(count(same_gpus(*all, part.get())) == 0);
  CHECK(count(same_gpus(*part, all.get())) == 0);
}
