#include "core/analysis/run/compare_sides.h"

#include <doctest/doctest.h>

#include "core/analysis/filter/request_filter.h"
#include "core/analysis/statistics/histogram.h"
#include "tests/support/gen_rollout.h"
#include "tests/support/hand_rollout.h"

using namespace tv;
using namespace tv::test;

TEST_CASE("compare sides: by default, two runs, a selection, a step or the halves of the steps are compared") {
  const auto rollout = gen_rollout(7, {.steps = 4, .workers = 3, .requests = 20});
  const RequestSet all = all_requests(*rollout);
  const CompareSides halves = default_sides(*rollout, all, {});
  CHECK(halves.a.requests.size() == rollout->steps[2].first);
  CHECK(halves.a.requests.size() + halves.b.requests.size() == rollout->size());
  const CompareSides step = default_sides(*rollout, all, 2);
  CHECK(step.b.name == "step 3");
  CHECK(step.b.requests.size() == 60);
  CHECK(step.a.requests.size() == 180);
  const CompareSides some = default_sides(*rollout, {1, 3}, {});
  CHECK(some.b.requests == RequestSet{1, 3});
  CHECK(some.a.requests.size() == rollout->size() - 2);
  const auto runs = HandRollout().add({.seconds = 1}).add({.seconds = 2, .run = 1}).build();
  CHECK(default_sides(*runs, all_requests(*runs), {}).a.name == "run 1");
  CHECK(default_sides(*runs, all_requests(*runs), {}).b.requests == RequestSet{1});
  // Runs go before the viewed step: a user who opens two runs wants to compare them.
  CHECK(default_sides(*runs, all_requests(*runs), 0).a.name == "run 1");
  // So does a selection by an area or a brush: it was made on purpose.
  CHECK(default_sides(*rollout, {1, 3}, 2, true).b.requests == RequestSet{1, 3});
}

TEST_CASE("compare sides: the error about a side without requests names the side and says how runs are numbered") {
  const auto rollout = HandRollout().add({.seconds = 1}).add({.seconds = 2, .run = 1}).build();
  CHECK(check_side(*rollout, "compare_a", "run==2").ok());
  CHECK(check_side(*rollout, "compare_a", kOtherSide).ok());
  const auto none = check_side(*rollout, "compare_a", "run==0");
  REQUIRE(!none);
  CHECK(none.error().text().find("compare_a") != std::string::npos);
  CHECK(none.error().remedy.find("count from 1") != std::string::npos);
  CHECK(none.error().remedy.find(rollout->runs[1]) != std::string::npos);
}

TEST_CASE("request filter: a run is matched by its number or its name") {
  const auto rollout = HandRollout().add({.seconds = 1}).add({.seconds = 2, .run = 1}).build();
  const auto found = [&](const std::string& text) {
    const auto filter = parse_filter(text);
    REQUIRE(filter);
    CHECK(parse_filter(to_text(filter.value())).value() == filter.value());
    return apply(*rollout, filter.value(), all_requests(*rollout));
  };
  CHECK(found("run==2") == RequestSet{1});
  CHECK(found("run>=1").size() == 2);
  CHECK(found("run==\"" + rollout->runs[1] + "\"") == RequestSet{1});
  CHECK(found("run!='" + rollout->runs[1] + "'") == RequestSet{0});
  CHECK(found("run=~run").size() == 2);
  CHECK(found("run==rl_run").empty());
  // An empty text is in every name, and is no number.
  CHECK(found("run=~''").size() == 2);
  CHECK(found("run!=''").size() == 2);
  CHECK(found("run==''").empty());
  CHECK(to_text(parse_filter("run=~''").value()) == "run=~\"\"");
  CHECK(!parse_filter("run<rl_run"));
}

TEST_CASE("compare sides: given sides are taken from the selected requests") {
  const auto rollout = gen_rollout(9, {.steps = 3, .workers = 2, .requests = 10});
  const RequestSet all = all_requests(*rollout);
  const auto filtered = [&](const char* text) { return apply(*rollout, parse_filter(text).value(), all); };
  const CompareSides workers = compare_sides(*rollout, all, 0, "worker==0", "worker==1");
  CHECK(workers.a.name == "worker 0");
  CHECK(workers.a.requests == filtered("worker==0"));
  CHECK(workers.b.requests == filtered("worker==1"));
  const CompareSides against_rest = compare_sides(*rollout, all, {}, {}, "turns>=2");
  CHECK(against_rest.b.name == "turns>=2");
  CHECK(against_rest.a.name == "all others");
  CHECK(against_rest.a.requests == filtered("turns<2"));
  const CompareSides narrowed = compare_sides(*rollout, filtered("turns>=2"), {}, "step==1", "step==2");
  CHECK(narrowed.a.requests == filtered("turns>=2 && step==1"));
  const CompareSides selected = compare_sides(*rollout, filtered("step==1"), {}, kOtherSide, kSelectedSide);
  CHECK(selected.b.requests == filtered("step==1"));
  CHECK(selected.a.requests == filtered("step!=1"));
  CHECK(compare_sides(*rollout, all, {}, "no sense", "step==1").a.requests.empty());
}

TEST_CASE("compare sides: every offered choice is a filter that matches the requests it names") {
  const auto one = gen_rollout(4, {.steps = 3, .workers = 2, .requests = 6});
  std::size_t requests = 0;
  for (const NamedFilter& choice : side_choices(*one)) {
    requests += apply(*one, parse_filter(choice.filter).value(), all_requests(*one)).size();
  }
  CHECK(requests == 2 * one->size());  // once by step, once by worker
  const auto two = HandRollout().add({.seconds = 1}).add({.seconds = 2, .run = 1}).build();
  for (const NamedFilter& choice : side_choices(*two)) {
    CAPTURE(choice.filter);
    const bool of_worker = choice.name == "worker 0";
    CHECK(apply(*two, parse_filter(choice.filter).value(), {0, 1}).size() == (of_worker ? 2 : 1));
  }
}

TEST_CASE("histogram: edges and counts are those of numpy") {
  const double values[] = {0, 1, 1, 2, 2.5, 4};
  const Histogram four = histogram(values, 4, false);
  CHECK(four.edges == std::vector<double>{0, 1, 2, 3, 4});
  CHECK(four.count == std::vector<std::size_t>{1, 2, 2, 1});
  const double wide[] = {-1, 0, 1, 10, 99, 100};
  const Histogram ratios = histogram(wide, 2, true);
  CHECK(ratios.edges[1] == doctest::Approx(10));
  CHECK(ratios.not_positive == 2);
  CHECK(ratios.count[0] + ratios.count[1] == 4);
  CHECK(ratios.count[1] >= 2);
  CHECK(histogram({}, 10, false).count.empty());
  CHECK(histogram(std::span(wide).first(2), 10, true).count.empty());
  const double same[] = {3, 3};
  CHECK(histogram(same, 5, false).edges.front() == 2.5);
  std::size_t counted = 0;
  for (const std::size_t n : histogram(same, 5, true).count) counted += n;
  CHECK(counted == 2);
}
