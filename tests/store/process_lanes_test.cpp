// Reports of Nsight Systems that belong to one process, and others that only share its host and pid.
#include "core/store/segments/process_lanes.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/store/segments/compose.h"
#include "core/store/trace/trace_builder.h"
#include "tests/support/gen_trace.h"

using namespace tv;
using namespace tv::test;

namespace {

struct RankFact {
  std::int64_t rank = 0;
  std::string evidence;
};

std::shared_ptr<const Trace> report(int number, std::optional<RankFact> told) {
  TraceSketch sketch;
  LaneSpec lane;
  lane.path = {{"python, pid 47", 0, "nsys node 47"}, {"thread 1"}};
  sketch.lane("t", lane);
  sketch.slice("t", number * kSecond, 100, "work");
  SourceView view = sketch.view();
  view.info.path = fmt::format("report_{}.sqlite", number);
  view.info.format = "nsys_sqlite";
  view.info.host = "node";
  view.info.pid = 47;
  if (told) {
    view.info.rank = told->rank;
    view.info.facts.push_back({"rank", std::to_string(told->rank), told->evidence});
  }
  return build_trace({view}, test_pool());
}

std::size_t groups_of(const Segments& reports) {
  const auto view = compose(reports).value();
  std::size_t groups = 0;
  for (std::size_t l = 0; l < view->lanes.size(); l = idx(view->lanes[l].subtree_end)) ++groups;
  CHECK(view->sources[0].process.empty() == (groups > 1));
  return groups;
}

}  // namespace

TEST_CASE("process_lanes: reports of one host and pid with different ranks are different processes") {
  const RankFact first{0, "captured environment RANK=\"0\""}, second{1, "the file's name"};
  CHECK(groups_of({report(1, first), report(2, second)}) == 2);
  CHECK(groups_of({report(1, first), report(2, first)}) == 1);
  CHECK(groups_of({report(1, first), report(2, {})}) == 1);
}

TEST_CASE("process_lanes: different ranks in communicators do not separate reports of one process") {
  const std::string communicator(kByCommunicator);
  const RankFact of_some{1, communicator + " of 2 ranks"}, of_all{5, communicator + " of 8 ranks"}, launched{5, "MPI_RANKS"};
  CHECK(groups_of({report(1, of_some), report(2, of_all)}) == 1);
  CHECK(groups_of({report(1, of_some), report(2, launched)}) == 1);
}
