#include "core/session/state/step_news.h"

#include <doctest/doctest.h>

#include "tests/support/gen_rollout.h"

namespace tv {
namespace {

std::shared_ptr<const Rollout> run_with_steps(int steps, int slow) {
  test::RolloutShape shape;
  shape.steps = steps;
  shape.slow_step = slow;
  auto rollout = std::make_shared<Rollout>(*test::gen_rollout(1, shape));
  rollout->runs = {"run"};
  return rollout;
}

}  // namespace

TEST_CASE("step news: a new step that stands out is announced once") {
  const auto six = run_with_steps(6, -1), eight = run_with_steps(8, 7);
  StepNews news;
  CHECK(news.of(*six, 1).empty());
  CHECK(news.of(*eight, 2).find("stands out") != std::string::npos);
  CHECK(news.of(*eight, 2).empty());
  CHECK(news.of(*eight, 3).empty());
}

TEST_CASE("step news: after files are opened, the steps of the next snapshot are not announced") {
  const auto six = run_with_steps(6, -1), eight = run_with_steps(8, 7);
  StepNews news;
  CHECK(news.of(*six, 1).empty());
  news.begin_anew();
  CHECK(news.of(*six, 1).empty());  // asked in each frame until the file is read
  CHECK(news.of(*eight, 2).empty());
}

}  // namespace tv
