#include "core/view/navigation/view_history.h"

#include <doctest/doctest.h>

using namespace tv;

TEST_CASE("view_history: back and forward go through the visited views") {
  ViewHistory history;
  history.visit({{0, 100}, {}}, 0);
  history.visit({{10, 50}, {}}, 5);
  history.visit({{20, 20}, {}}, 10);
  CHECK(history.back() == Visit{{10, 50}, {}});
  CHECK(history.back() == Visit{{0, 100}, {}});
  CHECK(history.back() == std::nullopt);
  CHECK(history.forward() == Visit{{10, 50}, {}});
  CHECK(history.can_go_forward());
}

TEST_CASE("view_history: a continuous movement is one step") {
  ViewHistory history;
  history.visit({{0, 100}, {}}, 0);
  for (int i = 1; i <= 100; ++i) history.visit({{i * 1.0, 100}, {}}, 5 + i * 0.016);
  CHECK(history.back() == Visit{{0, 100}, {}});
  CHECK(history.forward() == Visit{{100, 100}, {}});
}

TEST_CASE("view_history: the first view is kept, however soon the next one follows") {
  ViewHistory history;
  history.visit({{0, 100}, {}}, 0);
  history.visit({{1, 100}, {}}, 0.1);
  CHECK(history.back() == Visit{{0, 100}, {}});
}

TEST_CASE("view_history: a new view discards the views ahead, even right after going back") {
  ViewHistory history;
  history.visit({{0, 100}, {}}, 0);
  history.visit({{10, 100}, {}}, 5);
  history.visit({{20, 100}, {}}, 10);
  history.back();
  history.visit({{30, 100}, {}}, 10.1);
  CHECK(history.forward() == std::nullopt);
  CHECK(history.back() == Visit{{10, 100}, {}});
}

TEST_CASE("view_history: visiting the same view again adds no step") {
  ViewHistory history;
  history.visit({{0, 100}, {}}, 0);
  history.visit({{0, 100}, {}}, 9);
  CHECK_FALSE(history.can_go_back());
}

TEST_CASE("view_history: the number of steps is limited") {
  ViewHistory history;
  for (int i = 0; i < 1'000; ++i) history.visit({{i * 1.0, 100}, {}}, i * 1.0);
  std::size_t steps = 0;
  while (history.back()) ++steps;
  CHECK(steps == ViewHistory::kMost - 1);
}

TEST_CASE("view_history: a filter is a step of its own, however soon it comes") {
  ViewHistory history;
  history.visit({{0, 100}, {}}, 0);
  history.visit({{10, 50}, {}}, 5);
  history.visit({{10, 50}, {"dur>2s"}}, 5.1);
  history.visit({{20, 50}, {"dur>2s"}}, 5.2);
  CHECK(history.back() == Visit{{10, 50}, {}});
  CHECK(history.back() == Visit{{0, 100}, {}});
  CHECK(history.forward() == Visit{{10, 50}, {}});
  CHECK(history.forward() == Visit{{20, 50}, {"dur>2s"}});
}
