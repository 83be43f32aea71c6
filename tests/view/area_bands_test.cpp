// Exactly the counted lanes are tinted.
#include <doctest/doctest.h>

#include "core/query/lane_set.h"
#include "core/view/lanes/area_bands.h"
#include "tests/support/gen_trace.h"

using namespace tv;
using namespace tv::test;

namespace {

std::shared_ptr<const Trace> two_processes() {
  TraceSketch sketch;
  for (const std::string process : {"p0", "p1"}) {
    for (const std::string thread : {"a", "b", "c"}) {
      LaneSpec spec;
      spec.path = {{process}, {thread}};
      sketch.lane(process + thread, spec).slice(process + thread, 0, 10);
    }
  }
  return sketch.build();
}

LaneId lane_called(const Trace& trace, const std::string& process, const std::string& name) {
  for (std::size_t l = 0; l < trace.lanes.size(); ++l) {
    const LaneId lane = id_at<LaneId>(l), parent = trace.lanes[l].parent;
    if (trace.lanes[l].name == name && parent != kNone<LaneId> && trace.lane(parent).name == process) return lane;
  }
  return kNone<LaneId>;
}

}  // namespace

TEST_CASE("area_bands: bands cover the boxes of counted lanes and no others") {
  const auto trace = two_processes();
  const LaneLayout layout(*trace, {}, {});
  const std::vector<LaneId> lanes = {lane_called(*trace, "p0", "b"), lane_called(*trace, "p0", "c"),
                                     lane_called(*trace, "p1", "b")};
  const auto bands = area_bands(*trace, layout, lanes, 0, layout.height());
  REQUIRE(bands.size() == 2);  // the second starts after p1's header and its lane a
  CHECK(bands[0].y0 == layout.box_of(lanes[0]).y);
  CHECK(bands[0].y1 == layout.box_of(lanes[1]).bottom());
  CHECK(bands[1].y0 == layout.box_of(lanes[2]).y);
  CHECK(bands[1].y1 == layout.box_of(lanes[2]).bottom());
  CHECK(area_bands(*trace, layout, {}, 0, 500) == std::vector<LaneBand>{{0, 500}});
}

TEST_CASE("area_bands: a lane in a collapsed group tints the group's box, clipped when scrolled") {
  const auto trace = two_processes();
  LaneState state;
  set_all_collapsed(*trace, true, state);
  const LaneLayout layout(*trace, state, {});
  const LaneId inside = lane_called(*trace, "p1", "b");
  const LaneBox& box = layout.box_of(inside);
  CHECK(box.lane != inside);
  const std::vector<LaneId> lanes = {inside};
  const auto bands = area_bands(*trace, layout, lanes, box.y + 2, 100);
  REQUIRE(bands.size() == 1);
  CHECK(bands[0].y0 == 0);
  CHECK(bands[0].y1 == box.bottom() - box.y - 2);
}
