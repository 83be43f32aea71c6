// Recordings of the same ranks before and after a change: their names, and their order in the window.
#include <doctest/doctest.h>

#include <algorithm>

#include "core/analysis/statistics/name_differences.h"
#include "tests/session/desk.h"

using namespace tv;
using namespace tv::test;
using namespace tv::command;

namespace {

std::vector<std::string> outermost_names(const Trace& trace) {
  std::vector<std::string> names;
  for (std::size_t l = 0; l < trace.lanes.size(); l = idx(trace.lanes[l].subtree_end)) names.push_back(trace.lanes[l].name);
  return names;
}

std::vector<std::string> sides(const Trace& trace) {
  std::vector<std::string> names;
  for (const ComparedPart& part : compared_parts(trace)) names.push_back(part.name);
  return names;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("compare recordings: adding a file of the same rank names each by its recording, closing it undoes that") {
  const TempDir folder;
  const std::string before = steps(folder, "before_rank0.json"), after = steps(folder, "after_rank0.json", 400);
  TestDesk desk;
  desk.open({before});
  CHECK(outermost_names(desk.ws.trace()) == Names{"rank 0"});
  desk.open({after}, true);
  CHECK(outermost_names(desk.ws.trace()) == Names{"rank 0, before", "rank 0, after"});
  CHECK(sides(desk.ws.trace()) == Names{"rank 0, before", "rank 0, after"});
  const std::string third = steps(folder, "again_rank0.json", 800);
  desk.open({third}, true);
  CHECK(outermost_names(desk.ws.trace()) == Names{"rank 0, before", "rank 0, after", "rank 0, again"});
  desk.apply(CloseFiles{{after}});
  desk.wait();
  CHECK(outermost_names(desk.ws.trace()) == Names{"rank 0, before", "rank 0, again"});
  desk.apply(CloseFiles{{third}});
  desk.wait();
  CHECK(outermost_names(desk.ws.trace()) == Names{"rank 0"});
}

TEST_CASE("compare recordings: the split view shows the first given file above, whichever was recorded first") {
  const TempDir folder;
  const std::string late = steps(folder, "zebra_rank0.json", 90'000'000), early = steps(folder, "ape_rank0.json");
  TestDesk desk;
  desk.open({late, early});
  desk.wait_for_all();
  desk.apply(ToggleSplit{});
  CHECK(desk.ws.state().halves.titles[ix(SplitHalf::Upper)].lanes == "rank 0, zebra");
  CHECK(desk.ws.state().halves.titles[ix(SplitHalf::Lower)].lanes == "rank 0, ape");
}

TEST_CASE("compare recordings: two runs of two ranks give two sides by run, then four by rank") {
  const TempDir folder;
  std::vector<std::string> paths;
  for (const char* name : {"b_run1_rank0.json", "b_run1_rank1.json", "a_run2_rank0.json", "a_run2_rank1.json"}) {
    paths.push_back(steps(folder, name, 10 * static_cast<std::int64_t>(paths.size())));
  }
  TestDesk desk;
  desk.open(paths);
  CHECK(sides(desk.ws.trace()) == Names{"b_run1", "a_run2", "rank 0, b_run1", "rank 1, b_run1", "rank 0, a_run2", "rank 1, a_run2"});
  CHECK(outermost_names(desk.ws.trace()) == Names{"rank 0, b_run1", "rank 0, a_run2", "rank 1, b_run1", "rank 1, a_run2"});
}

TEST_CASE("compare recordings: files in the order of a shell wildcard are sorted naturally, others keep their order") {
  const TempDir folder;
  const std::string a = steps(folder, "t10.json"), b = steps(folder, "t2.json");
  TestDesk desk;
  desk.open({a, b});  // as a shell expands *.json
  CHECK(outermost_names(desk.ws.trace()) == Names{"t2", "t10"});
  desk.open({b, a});
  CHECK(outermost_names(desk.ws.trace()) == Names{"t2", "t10"});
  const std::string c = steps(folder, "s.json");
  desk.open({b, c});
  CHECK(outermost_names(desk.ws.trace()) == Names{"t2", "s"});
}
