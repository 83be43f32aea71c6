// Single columns of a frame: how strong their colour is, and where it comes from.
#include <doctest/doctest.h>

#include <algorithm>

#include "core/analysis/gpu/exposed_time.h"
#include "core/view/timeline/timeline_frame.h"
#include "tests/support/gen_trace.h"

using namespace tv;
using namespace tv::test;

namespace {

// A frame of 100 columns.
struct Columns {
  Snapshot snapshot;
  Palette palette;
  FrameParams params;
  TimelineFrame frame;

  explicit Columns(const TraceSketch& sketch)
      : snapshot(snapshot_of(sketch.build())), palette(snapshot.trace->labels, ThemeKind::Dark) {
    params.width_px = 100;
    params.height_px = 400;
    params.palette = &palette;
  }
  Columns(const Columns&) = delete;

  void draw(const Viewport& view, bool collapsed) {
    LaneState state;
    set_all_collapsed(*snapshot.trace, collapsed, state);
    FrameBuilder().build(snapshot, LaneLayout(*snapshot.trace, state, {}), view, params, frame);
  }
  Rgba fill(std::string_view name) const {
    const Trace& trace = *snapshot.trace;
    const auto named = [&](LabelId label) { return trace.labels.name(label) == name; };
    return palette.fill(*std::ranges::find_if(trace.slices.label, named));
  }
  Rgba at(const StripItem& strip, std::size_t x) const { return frame.texels[strip.first_texel + x]; }
};

}  // namespace

TEST_CASE("timeline_frame: the alpha of a column of exposed communication follows the exposed share") {
  TraceSketch sketch;
  sketch.lane("t", RowRule::Nest).slice("t", 0, 1'000);
  Columns columns(sketch);
  const auto lane = std::ranges::find_if(columns.snapshot.trace->lanes, [](const Lane& each) { return each.row_count > 0; });
  REQUIRE(lane != columns.snapshot.trace->lanes.end());
  ExposedTime exposed;
  exposed.lanes.push_back({id_at<LaneId>(static_cast<std::size_t>(lane - columns.snapshot.trace->lanes.begin())),
                           {{100, 105}, {200, 210}, {300, 302}, {305, 307}},
                           {0, 5, 15, 17},
                           19,
                           1'000,
                           "GPU 0"});
  columns.params.exposed = &exposed;
  columns.params.exposed_color = rgba(200, 0, 0);
  columns.draw({0, 1'000}, false);  // 10 ns a column
  const auto strip = std::ranges::find(columns.frame.strips, columns.params.exposed_px, &StripItem::height);
  REQUIRE(strip != columns.frame.strips.end());
  const auto strength = [&](std::size_t x) { return columns.at(*strip, x) >> 24; };
  CHECK(with_alpha(columns.at(*strip, 10), 0) == with_alpha(columns.params.exposed_color, 0));
  CHECK(strength(10) == kFaintest + (255 - kFaintest) / 2);
  CHECK(strength(20) == 255);
  CHECK(strength(30) == kFaintest + (255 - kFaintest) * 4 / 10);  // two stretches of 2 ns
  for (const std::size_t x : {0, 9, 11, 19, 21, 99}) CHECK(strength(x) == 0);

  // Columns of a 32nd of a nanosecond: 24 before each bound of the stretch, and each shows the nanosecond that it is in.
  columns.params.width_px = 256;
  columns.draw({99.25, 8}, false);
  const auto near = std::ranges::find(columns.frame.strips, columns.params.exposed_px, &StripItem::height);
  REQUIRE(near != columns.frame.strips.end());
  for (std::size_t x = 0; x < 256; ++x) {
    CAPTURE(x);
    const bool lit = x >= 24 && x < 24 + 5 * 32;
    CHECK((columns.at(*near, x) >> 24) == (lit ? 255 : 0));
  }
}

TEST_CASE("timeline_frame: a column of a folded group has the most common colour of its lanes, in any order") {
  // Two of three lanes agree; the odd one is first, second or third.
  for (const std::size_t rare : {0, 1, 2}) {
    CAPTURE(rare);
    TraceSketch sketch;
    for (std::size_t lane = 0; lane < 3; ++lane) {
      const std::string track(1, static_cast<char>('a' + lane));
      sketch.lane(track, RowRule::Nest).slice(track, 0, 10'240, lane == rare ? "rare" : "common");
    }
    Columns columns(sketch);
    REQUIRE(columns.fill("rare") != columns.fill("common"));
    columns.draw({5'100, 40}, true);  // zoomed in too far for the overview
    REQUIRE(columns.frame.strips.size() == 1);
    CHECK(columns.at(columns.frame.strips[0], 50) == with_alpha(columns.fill("common"), 255));
  }
}
