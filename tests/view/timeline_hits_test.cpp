// Search hits in a frame of the timeline.
#include <doctest/doctest.h>

#include "core/view/timeline/timeline_frame.h"
#include "tests/support/gen_trace.h"

using namespace tv;
using namespace tv::test;

namespace {

// Two slices drawn individually, and a hundred folded ones, one of them rare.
struct FoldedScene {
  Snapshot snapshot;
  Palette palette;
  LaneState state;
  FrameParams params;
  FrameBuilder builder;
  TimelineFrame frame;

  FoldedScene() {
    TraceSketch sketch;
    sketch.lane("t", RowRule::Nest).slice("t", 0, 4'000, "wide").slice("t", 4'000, 4'000, "broad");
    for (int i = 0; i < 100; ++i) sketch.slice("t", 10'000 + i * 100, 10, i == 50 ? "rare" : "tick");
    sketch.slice("t", 20'000, 0, "end");
    snapshot = snapshot_of(sketch.build());
    palette = Palette(snapshot.trace->labels, ThemeKind::Dark);
    params.width_px = 100;
    params.height_px = 400;
    params.palette = &palette;
    params.lane_color = 0xff000000;
  }
  FoldedScene(const FoldedScene&) = delete;

  const TimelineFrame& draw() {
    builder.build(snapshot, LaneLayout(*snapshot.trace, state, LaneMetrics{}), {0, 20'000}, params, frame);
    return frame;
  }
  std::vector<Rgba> strip() {
    draw();
    REQUIRE(frame.strips.size() == 1);
    const auto first = frame.texels.begin() + frame.strips[0].first_texel;
    return {first, first + 100};
  }
  SearchHits search(const char* text) const {
    return {*snapshot.trace, find_labels(snapshot.trace->labels, text), nullptr, test_pool()};
  }
};

bool is_dimmed(const RectItem& rect) { return (rect.style & kDimmed) != 0; }

}  // namespace

TEST_CASE("timeline hits: rectangles and columns of hits stand out, all others are dimmed") {
  FoldedScene scene;
  const SearchHits hits = scene.search("r");
  REQUIRE(hits.count() == 2);  // broad, rare
  scene.params.hits = &hits;
  REQUIRE(scene.draw().rects.size() == 2);
  CHECK(is_dimmed(scene.frame.rects[0]));
  CHECK(!is_dimmed(scene.frame.rects[1]));
  const std::vector<Rgba> strip = scene.strip();
  CHECK((strip[60] >> 24) < kFaintest);
  CHECK((strip[75] >> 24) == kMostFolded);  // the rare one, among others of its column
  CHECK((strip[76] >> 24) < kFaintest);
  // A search takes precedence over a brush.
  const std::vector<SliceId> brushed = {SliceId{0}};
  scene.params.brushed = &brushed;
  CHECK(is_dimmed(scene.draw().rects[0]));
  scene.params.hits = nullptr;
  CHECK(!is_dimmed(scene.draw().rects[0]));
}

TEST_CASE("timeline hits: in a summary, columns of hits keep their colour, and all columns their height") {
  FoldedScene scene;
  const SearchHits hits = scene.search("r"), none = scene.search("end");
  toggle_lane(*scene.snapshot.trace, LaneId{0}, scene.state);
  const std::vector<Rgba> plain = scene.strip();
  scene.params.hits = &hits;
  const std::vector<Rgba> searched = scene.strip();
  for (std::size_t x = 0; x < 100; ++x) {
    CAPTURE(x);
    const bool hit = (x >= 20 && x < 40) || x == 75;
    CHECK((plain[x] >> 24) == (searched[x] >> 24));
    CHECK((searched[x] == plain[x]) == (hit || plain[x] == 0));
  }
  scene.params.hits = &none;  // only an instant at the end
  const std::vector<Rgba> dimmed = scene.strip();
  CHECK(dimmed[0] != plain[0]);
  CHECK(dimmed[30] != plain[30]);
}
