// Lanes are toggled in and out of an area; the ticked ones are counted.
#include "core/view/lanes/area_lanes.h"

#include <doctest/doctest.h>

#include "core/query/lane_set.h"
#include "tests/support/gen_trace.h"

using namespace tv;
using namespace tv::test;

TEST_CASE("area_lanes: toggling removes and adds lanes or whole groups, but never removes the last lane") {
  TraceSketch sketch;
  for (const std::string process : {"p0", "p1"}) {
    for (const std::string thread : {"a", "b"}) {
      LaneSpec spec;
      spec.path = {{process}, {thread}};
      sketch.lane(process + thread, spec).slice(process + thread, 0, 10);
    }
  }
  const auto trace = sketch.build();  // p0 a b p1 a b
  const auto lane = [](std::size_t l) { return id_at<LaneId>(l); };
  const auto part = [&](const std::vector<LaneId>& area, std::size_t of) {
    return area_part(*trace, resolve_lanes(*trace, area), lane(of));
  };
  const auto without = toggled_area(*trace, {}, lane(1));
  REQUIRE(without);
  CHECK(*without == std::vector<LaneId>{lane(2), lane(4), lane(5)});
  CHECK(part(*without, 0) == AreaPart::Some);
  CHECK(part(*without, 1) == AreaPart::None);
  CHECK(part(*without, 3) == AreaPart::All);
  const auto group_out = toggled_area(*trace, *without, lane(3));
  REQUIRE(group_out);
  CHECK(*group_out == std::vector<LaneId>{lane(2)});
  CHECK(!toggled_area(*trace, *group_out, lane(2)));
  CHECK(!toggled_area(*trace, *group_out, lane(0)) == false);  // partly in the area before, wholly now
  CHECK(*toggled_area(*trace, *group_out, lane(0)) == std::vector<LaneId>{lane(1), lane(2)});
  CHECK(toggled_area(*trace, *toggled_area(*trace, *group_out, lane(0)), lane(3))->empty());  // all lanes again
  // An area given as a group stands for all lanes in it.
  const std::vector<LaneId> of_group = {lane(0)};
  CHECK(*toggled_area(*trace, of_group, lane(2)) == std::vector<LaneId>{lane(1)});
}

TEST_CASE("area_lanes: toggling a fully counted lane removes it, toggling any other adds all of it") {
  for (const std::uint64_t seed : seeds(30)) {
    CAPTURE(seed);
    const auto trace = gen_trace(seed, Shape::ManyLanes).build();
    Random random(seed);
    std::vector<LaneId> area;
    for (int i = 0; i < 12; ++i) {
      const auto lane =
          id_at<LaneId>(static_cast<std::size_t>(random.in(0, static_cast<std::int64_t>(trace->lanes.size()) - 1)));
      const AreaPart before = area_part(*trace, resolve_lanes(*trace, area), lane);
      const auto changed = toggled_area(*trace, area, lane);
      if (!changed) continue;
      const AreaPart after = area_part(*trace, resolve_lanes(*trace, *changed), lane);
      const bool counts = trace->lane(lane).row_count > 0 || trace->lane(lane).counter != UINT32_MAX ||
                          idx(trace->lane(lane).subtree_end) > idx(lane) + 1;
      if (counts) CHECK(after == (before == AreaPart::All ? AreaPart::None : AreaPart::All));
      area = *changed;
    }
  }
}
