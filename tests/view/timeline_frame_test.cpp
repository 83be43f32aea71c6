#include "core/view/timeline/timeline_frame.h"

#include <doctest/doctest.h>

#include <atomic>
#include <cmath>
#include <cstdlib>
#include <new>

#include "core/analysis/collectives/collective_waits.h"
#include "tests/support/gen_trace.h"
#include "tests/view/frame_scene.h"

using namespace tv;
using namespace tv::test;

// Counts the allocations of this program, to show that a frame makes none.
static std::atomic<std::uint64_t> allocations = 0;

// noinline: otherwise gcc 12 warns of mismatched new and delete.
[[gnu::noinline]] void* operator new(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  ++allocations;
  return std::malloc(size);
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

TEST_CASE("timeline_frame: a slice is a rectangle with its name") {
  TraceSketch sketch = sketch_of_one_lane();
  sketch.slice("t", 0, 1'000, "outer").slice("t", 100, 500, "inner");
  FrameScene scene(sketch);
  const TimelineFrame& frame = scene.draw({0, 1'000});
  REQUIRE(frame.rects.size() == 2);
  CHECK(frame.rects[1].x0 == 10);
  CHECK(frame.rects[1].x1 == 60);
  CHECK(frame.rects[1].y == 20 + 18);
  CHECK(frame.rects[1].height == 17);
  CHECK(frame.rects[1].color == scene.palette.fill(scene.snapshot.trace->slices.label[1]));
  REQUIRE(frame.texts.size() == 2);
  CHECK(frame.texts[1].x == 13);
  CHECK(frame.texts[1].width == 44);
  CHECK(frame.stats.rows == 2);
  CHECK(frame.stats.rects == 2);
}

TEST_CASE("timeline_frame: no text is drawn if three characters do not fit or the row is too low") {
  TraceSketch sketch = sketch_of_one_lane();
  sketch.slice("t", 0, 260, "short").slice("t", 500, 270, "long").slice("t", 999, 1, "end");
  FrameScene scene(sketch);
  CHECK(scene.draw({0, 1'000}).texts.size() == 1);
  scene.params.text_height_px = 22;  // taller than a row of 18 px
  REQUIRE(scene.draw({0, 1'000}).texts.size() == 2);
  CHECK(scene.draw({0, 1'000}).texts[0].scale < 1);
  scene.params.text_height_px = 30;
  CHECK(scene.draw({0, 1'000}).texts.empty());
}

TEST_CASE("timeline_frame: a name stays within its row, underscores included, at any text height") {
  TraceSketch sketch = sketch_of_one_lane();
  sketch.slice("t", 0, 500, "under_score").slice("t", 999, 1, "end");
  FrameScene scene(sketch);
  float lowest = 0;
  for (float height = 10; height < 30; height += 0.5f) {
    CAPTURE(height);
    scene.params.text_height_px = height;
    const TimelineFrame& frame = scene.draw({0, 1'000});
    if (frame.texts.empty()) continue;
    const TextItem& text = frame.texts[0];
    const RectItem& row = frame.rects[0];
    const float line = text.scale * height, low = text.y + line, letters_begin = low - 0.85f * line;
    CHECK(low <= doctest::Approx(row.y + row.height));
    CHECK(letters_begin >= doctest::Approx(row.y));
    lowest = std::max(lowest, height);
  }
  CHECK(lowest > 22);  // includes text taller than its row
}

TEST_CASE(
    "timeline_frame: unfinished slices are hatched, clipped ones marked, unhighlighted ones dimmed") {
  TraceSketch sketch = sketch_of_one_lane();
  sketch.slice("t", 0, 400, "first").slice("t", 400, kOpenEnd, "open").slice("t", 1'000, 0, "end");
  FrameScene scene(sketch);
  scene.params.highlighted = scene.snapshot.trace->label_of(scene.find("first"));
  const TimelineFrame& frame = scene.draw({100, 800});
  REQUIRE(frame.rects.size() == 2);
  CHECK(frame.rects[0].style == kClippedLeft);
  CHECK(frame.rects[1].style == (kHatched | kClippedRight | kDimmed));
}

TEST_CASE("timeline_frame: rectangles and columns of brushed slices stand out, all others are dimmed") {
  TraceSketch sketch = sketch_of_one_lane();
  sketch.slice("t", 0, 4'000, "wide").slice("t", 4'000, 4'000, "wide");
  for (int i = 0; i < 100; ++i) sketch.slice("t", 10'000 + i * 100, 10, i == 50 ? "rare" : "tick");
  sketch.slice("t", 20'000, 0, "end");
  FrameScene scene(sketch);
  const std::vector<SliceId> brushed = {SliceId{1}, scene.find("rare")};
  scene.params.brushed = &brushed;
  const TimelineFrame& frame = scene.draw({0, 20'000});
  REQUIRE(frame.rects.size() == 2);
  CHECK((frame.rects[0].style & kDimmed) != 0);
  CHECK((frame.rects[1].style & kDimmed) == 0);
  REQUIRE(frame.strips.size() == 1);
  CHECK(scene.alpha(frame.strips[0], 60) < kFaintest);
  CHECK(scene.alpha(frame.strips[0], 75) == kMostFolded);  // the rare one, among others of its column
  CHECK(scene.alpha(frame.strips[0], 76) < kFaintest);
  // The brushed slice begins before the view.
  CHECK((scene.draw({5'000, 10'000}).rects[0].style & kDimmed) == 0);
  scene.params.brushed = nullptr;
  CHECK((scene.draw({0, 20'000}).rects[0].style & kDimmed) == 0);
}

TEST_CASE("timeline_frame: folded slices become a strip whose alpha is their coverage") {
  TraceSketch sketch = sketch_of_one_lane();
  for (int i = 0; i < 1'000; ++i) sketch.slice("t", i * 10, 5, "tick");
  sketch.slice("t", 20'000, 0, "mark");
  FrameScene scene(sketch);
  const TimelineFrame& frame = scene.draw({0, 20'001});
  CHECK(frame.rects.empty());
  REQUIRE(frame.strips.size() == 1);
  const StripItem& strip = frame.strips[0];
  CHECK(strip.kind == StripItem::Kind::Density);
  CHECK(frame.texels.size() == 100);
  CHECK(scene.alpha(strip, 20) == doctest::Approx(kFaintest + 0.5 * (kMostFolded - kFaintest)).epsilon(0.03));
  CHECK(scene.alpha(strip, 70) == 0);
  CHECK(scene.alpha(strip, 99) == kFaintest);  // the zero-length slice
}

TEST_CASE("timeline_frame: instants are diamonds while they are few, else a strip") {
  TraceSketch few = sketch_of_one_lane(), many = sketch_of_one_lane();
  few.slice("t", 0, 1'000).instant("t", 500);
  many.slice("t", 0, 1'000);
  for (int i = 0; i < 100; ++i) many.instant("t", i * 10);
  FrameScene sparse(few), dense(many);
  const TimelineFrame& diamonds = sparse.draw({0, 1'000});
  REQUIRE(diamonds.rects.size() == 2);
  CHECK(diamonds.rects[1].style == kDiamond);
  CHECK(diamonds.rects[1].x0 == 50);
  CHECK(diamonds.strips.empty());
  CHECK(dense.draw({0, 1'000}).rects.size() == 1);
  CHECK(dense.draw({0, 1'000}).strips.size() == 1);
}

TEST_CASE("timeline_frame: an instant has its name to the right if there is room before the next one") {
  TraceSketch sketch = sketch_of_one_lane();
  sketch.slice("t", 0, 1'000).instant("t", 100, "barrier_exit").instant("t", 800, "another mark").instant("t", 900, "too near");
  FrameScene scene(sketch);
  scene.params.height_px = 400;
  const TimelineFrame& frame = scene.draw({0, 1'000});
  std::vector<std::string_view> names;
  for (const TextItem& text : frame.texts) {
    if (text.slice == kNone<SliceId> || scene.snapshot.trace->duration_of(text.slice) > 0) continue;
    names.push_back(scene.snapshot.trace->name_of(text.slice));
    CHECK(text.x + text.width <= 80);  // the next one is there
  }
  CHECK(names == std::vector<std::string_view>{"barrier_exit"});
}

TEST_CASE("timeline_frame: of several instants at one place, the search hit is named") {
  TraceSketch sketch = sketch_of_one_lane();
  sketch.slice("t", 0, 1'000).instant("t", 100, "first mark").instant("t", 101, "second mark").instant("t", 102, "third mark");
  FrameScene scene(sketch);
  scene.params.height_px = 400;
  for (const char* const wanted : {"first mark", "second mark", "third mark"}) {
    const SearchHits hits(*scene.snapshot.trace, find_labels(scene.snapshot.trace->labels, wanted), nullptr, test_pool());
    scene.params.hits = &hits;
    std::vector<std::string_view> names;
    for (const TextItem& text : scene.draw({0, 1'000}).texts) {
      if (text.slice != kNone<SliceId> && scene.snapshot.trace->duration_of(text.slice) == 0) names.push_back(scene.snapshot.trace->name_of(text.slice));
    }
    CHECK(names == std::vector<std::string_view>{wanted});
  }
}

TEST_CASE("timeline_frame: a pipeline job shows its number as soon as the digits fit") {
  TraceSketch sketch = sketch_of_one_lane();
  sketch.slice("t", 0, 100, "forward_3", {}, "forward").slice("t", 100, 100, "forward_12", {}, "forward");
  sketch.slice("t", 200, 100, "other_3", {}, "other");
  FrameScene scene(sketch);
  const auto numbered = [&](double span) {
    std::vector<std::string_view> names;
    for (const TextItem& text : scene.draw({0, span}).texts) names.push_back(scene.snapshot.trace->name_of(text.slice));
    return names;
  };
  CHECK(numbered(1'000) == std::vector<std::string_view>{"forward_3"});                // 10 px each
  CHECK(numbered(550) == std::vector<std::string_view>{"forward_3", "forward_12"});    // 18 px
  CHECK(numbered(2'000).empty());                                                      // 5 px
}

TEST_CASE("timeline_frame: a folded lane has the colours of its first informative level") {
  TraceSketch sketch = sketch_of_one_lane();
  sketch.slice("t", 0, 1'000, "main");
  for (int step = 0; step < 2; ++step) {
    sketch.slice("t", step * 500, 500, "ProfilerStep#" + std::to_string(step), {}, "user_annotation");
    for (int part = 0; part < 10; ++part) sketch.slice("t", step * 500 + part * 50, 50, part % 2 ? "forward" : "backward");
  }
  FrameScene scene(sketch);
  scene.collapse(1);
  const TimelineFrame& frame = scene.draw({0, 1'000});
  REQUIRE(frame.strips.size() == 1);
  const auto color_at = [&](std::size_t x) { return frame.texels[frame.strips[0].first_texel + x]; };
  const auto fill_of = [&](std::string_view name) {
    const LabelTable& labels = scene.snapshot.trace->labels;
    for (std::size_t l = 0; l < labels.size(); ++l) {
      if (labels.name(id_at<LabelId>(l)) == name) return scene.palette.fill(id_at<LabelId>(l));
    }
    return Rgba{};
  };
  for (std::size_t x = 0; x < 100; ++x) CHECK(color_at(x) == with_alpha(fill_of(x / 5 % 2 ? "forward" : "backward"), 255));
}

TEST_CASE("timeline_frame: a counter shows the highest value of each pixel, including one held from before") {
  TraceSketch sketch;
  sketch.lane("c", RowRule::Nest, LaneKind::Counter);
  sketch.sample("c", 0, 50)
      .sample("c", 500, 0)
      .sample("c", 755, 100)
      .sample("c", 756, 10)
      .sample("c", 1'000, 10);
  FrameScene scene(sketch);
  const TimelineFrame& frame = scene.draw({0, 1'000});
  REQUIRE(frame.strips.size() == 1);
  const StripItem& strip = frame.strips[0];
  CHECK(strip.kind == StripItem::Kind::Area);
  CHECK(scene.alpha(strip, 0) == 128);
  CHECK(scene.alpha(strip, 49) == 128);
  CHECK(scene.alpha(strip, 50) == 128);  // 50 held up to the pixel's begin
  CHECK(scene.alpha(strip, 51) == 0);
  CHECK(scene.alpha(strip, 75) == 255);
  CHECK(scene.alpha(strip, 76) == 26);
}

TEST_CASE("timeline_frame: a counter ends with the trace, and its last value is not held beyond") {
  TraceSketch sketch;
  sketch.lane("c", RowRule::Nest, LaneKind::Counter);
  sketch.sample("c", 0, 0).sample("c", 500, 50).sample("c", 1'000, 50);
  FrameScene scene(sketch);
  const StripItem strip = scene.draw({0, 2'000}).strips[0];
  CHECK(scene.alpha(strip, 24) == 0);
  CHECK(scene.alpha(strip, 25) == 255);
  CHECK(scene.alpha(strip, 50) == 255);
  CHECK(scene.alpha(strip, 51) == 0);
  CHECK(scene.alpha(strip, 99) == 0);
}

TEST_CASE("timeline_frame: a counter below zero is scaled from its lowest value") {
  TraceSketch sketch;
  sketch.lane("c", RowRule::Nest, LaneKind::Counter);
  sketch.sample("c", 0, -100).sample("c", 500, 100).sample("c", 1'000, 0);
  FrameScene scene(sketch);
  scene.draw({0, 1'000});
  CHECK(scene.alpha(scene.frame.strips[0], 10) == 0);
  CHECK(scene.alpha(scene.frame.strips[0], 60) == 255);
}

TEST_CASE("timeline_frame: a collapsed group shows the mean utilisation of its lanes") {
  TraceSketch sketch;
  sketch.lane("a", RowRule::Nest).lane("b", RowRule::Nest);
  sketch.slice("a", 0, 10'240, "x").slice("a", 100, 500, "nested").slice("b", 0, 5'120, "x");
  FrameScene scene(sketch);
  scene.collapse(0);
  const TimelineFrame& frame = scene.draw({0, 10'240});
  REQUIRE(frame.strips.size() == 1);
  CHECK(frame.strips[0].kind == StripItem::Kind::Area);
  CHECK(scene.alpha(frame.strips[0], 10) == 255);
  CHECK(scene.alpha(frame.strips[0], 90) == 128);
  // Zoomed in, utilisation is computed from the union rows.
  scene.draw({5'100, 40});
  CHECK(scene.alpha(frame.strips[0], 20) == 255);
  CHECK(scene.alpha(frame.strips[0], 80) == 128);
}

TEST_CASE("timeline_frame: a collapsed packed lane shows the share of its slots that are busy") {
  TraceSketch sketch;
  sketch.lane("r", RowRule::Pack, LaneKind::Requests);
  for (int i = 0; i < 4; ++i) sketch.slice("r", 0, 10'000 * (i + 1), "request", std::to_string(i));
  FrameScene scene(sketch);
  scene.collapse(1);
  for (const Viewport& view : {Viewport{0, 40'000}, Viewport{14'900, 100}}) {
    const TimelineFrame& frame = scene.draw(view);
    REQUIRE(frame.strips.size() == 1);
    const auto x = static_cast<std::size_t>((14'950 - view.begin) / view.span * 100);
    CHECK(scene.alpha(frame.strips[0], x) == doctest::Approx(255 * 0.75).epsilon(0.01));
  }
}

TEST_CASE("timeline_frame: exact summaries and those from the overview agree") {
  for (const std::uint64_t seed : seeds(40)) {
    CAPTURE(seed);
    FrameScene scene(gen_trace(seed, shape_of(seed)));
    const Trace& trace = *scene.snapshot.trace;
    if (trace.lanes.empty() || trace.shown().length() < 100'000) continue;
    set_all_collapsed(trace, true, scene.state);
    scene.update();
    // Over two pixels per overview bucket, the summary is exact; at one, it comes from the overview.
    const double bucket = static_cast<double>(trace.shown().length()) / kOverviewBuckets;
    const double begin = static_cast<double>(trace.shown().begin) + 100 * bucket;
    scene.params.width_px = 201;
    scene.draw({begin, 100 * bucket});
    const TimelineFrame exact = scene.frame;
    scene.params.width_px = 100;
    scene.draw({begin, 100 * bucket});
    REQUIRE(exact.strips.size() == scene.frame.strips.size());
    for (std::size_t s = 0; s < exact.strips.size(); ++s) {
      double a = 0, b = 0;
      for (std::size_t x = 0; x < 201; ++x)
        a += (exact.texels[exact.strips[s].first_texel + x] >> 24) / 201.0;
      for (std::size_t x = 0; x < 100; ++x) b += scene.alpha(scene.frame.strips[s], x) / 100.0;
      // Any coverage above 0 is drawn at least 1 px high, and the band has 20 px.
      REQUIRE(std::abs(a - b) <= 255 / 20.0);
    }
  }
}

TEST_CASE("timeline_frame: waits are hatched, slices of the lit name stand out") {
  TraceSketch sketch;
  sketch.lane("t", RowRule::Nest);
  sketch.slice("t", 0, 300, "generate", {}, "phase")
      .slice("t", 300, 300, "barrier_wait_duration", {}, "wait")
      .slice("t", 600, 400, "generate", {}, "phase");
  FrameScene scene(sketch);
  const TimelineFrame& frame = scene.draw({0, 1'000});
  REQUIRE(frame.rects.size() == 3);
  CHECK((frame.rects[0].style & kHatched) == 0);
  CHECK((frame.rects[1].style & kHatched) != 0);
  const Rgba plain = frame.rects[0].color, wait = frame.rects[1].color;
  scene.params.lit = scene.snapshot.trace->label_of(scene.find("generate"));
  scene.draw({0, 1'000});
  CHECK(frame.rects[0].color != plain);
  CHECK(frame.rects[0].color == frame.rects[2].color);
  CHECK(frame.rects[1].color == wait);
  for (const TextItem& text : frame.texts) CHECK(contrast(text.color, frame.rects[0].color) > 4.5);
}

TEST_CASE("timeline_frame: a colour rule applies to slices, columns and summaries") {
  TraceSketch sketch = sketch_of_one_lane();
  sketch.slice("t", 0, 200, "one", {}, "x").slice("t", 300, 200, "two", {}, "x").slice("t", 600, 200, "three", {}, "y");
  FrameScene scene(sketch);
  const SliceColors colors(scene.snapshot.trace, nullptr, ColorRule::Category, ThemeKind::Dark);
  scene.params.colors = &colors;
  scene.params.width_px = 1'000;
  const TimelineFrame& frame = scene.draw({0, 1'000});
  REQUIRE(frame.rects.size() == 3);
  REQUIRE(frame.texts.size() == 3);
  CHECK(frame.rects[0].color == colors.legend()[0].fill);
  CHECK(frame.rects[1].color == frame.rects[0].color);
  CHECK(frame.rects[2].color == colors.legend()[1].fill);
  CHECK(frame.texts[2].color == colors.legend()[1].text);
  scene.draw({0, 10'000'000});  // all in the first column
  REQUIRE(frame.strips.size() == 1);
  const Rgba column = with_alpha(frame.texels[frame.strips[0].first_texel], 255);
  CHECK((column == colors.legend()[0].fill || column == colors.legend()[1].fill));
  scene.collapse(0);
  scene.draw({0, 1'000});
  CHECK(with_alpha(frame.texels[frame.strips[0].first_texel + 700], 255) == colors.legend()[1].fill);
}

TEST_CASE("timeline_frame: the waiting part of a collective is hatched") {
  TraceSketch sketch;
  sketch.lane("t", RowRule::Nest);
  sketch.slice("t", 0, 400, "ncclDevKernel_AllReduce", {}, "kernel").slice("t", 400, 600, "gemm", {}, "kernel");
  FrameScene scene(sketch);
  CollectiveWaits waits;
  const SliceId early = scene.find("ncclDevKernel_AllReduce"), other = scene.find("gemm");
  waits.members = {{early, 0, 300}, {other, 1, 0}};
  waits.collectives = {{0, 2, true}};
  waits.by_slice = {{early, 0}};
  waits.trace = scene.snapshot.trace;
  scene.params.collectives = &waits;
  const TimelineFrame& frame = scene.draw({0, 1'000});
  REQUIRE(frame.rects.size() == 3);
  CHECK(frame.rects[0].x0 == 0);
  CHECK(frame.rects[0].x1 == 30);
  CHECK((frame.rects[0].style & kHatched) != 0);
  CHECK(frame.rects[1].x0 == 30);
  CHECK(frame.rects[1].x1 == 40);
  CHECK((frame.rects[1].style & kHatched) == 0);
  CHECK((frame.rects[2].style & kHatched) == 0);
}

TEST_CASE("timeline_frame: lanes off the screen cost nothing") {
  TraceSketch few = sketch_of_one_lane(), many = sketch_of_one_lane();
  for (TraceSketch* sketch : {&few, &many}) {
    for (int i = 0; i < 100; ++i) sketch->slice("t", i * 10, 5);
  }
  for (int l = 0; l < 3'000; ++l) {
    const std::string track = "z" + std::to_string(l);
    many.lane(track, RowRule::Nest).slice(track, 0, 1'000);
  }
  FrameScene small(few), large(many);
  set_all_collapsed(*large.snapshot.trace, false, large.state);
  large.update();
  large.params.height_px = small.params.height_px = 38;
  CHECK(large.layout.height() > 50'000);
  CHECK(small.draw({0, 1'000}).stats.nodes_visited == large.draw({0, 1'000}).stats.nodes_visited);
  // Scrolled to the middle, only rows on the screen are drawn.
  large.params.scroll_y = 20 + 18 * 1'000;
  CHECK(large.draw({0, 1'000}).stats.rows <= 4);
}

TEST_CASE("timeline_frame: only the rows of a tall lane that are on the screen are drawn when scrolled") {
  TraceSketch sketch;
  sketch.lane("r", RowRule::Pack, LaneKind::Requests);
  for (int i = 0; i < 200; ++i) sketch.slice("r", 0, 1'000, "request", std::to_string(i));
  FrameScene scene(sketch);
  scene.params.height_px = 100;
  scene.params.scroll_y = 200.5;
  const TimelineFrame& frame = scene.draw({0, 1'000});
  CHECK(frame.rects.size() <= 27);
  CHECK(frame.rects.front().y <= 0);
  CHECK(frame.rects.back().y + frame.rects.back().height >= 100);
}

TEST_CASE("timeline_frame: no allocation in steady state") {
  for (const std::uint64_t seed : {1, 2, 8, 10, 17}) {
    CAPTURE(seed);
    const std::uint64_t at_begin = allocations;
    FrameScene scene(gen_trace(seed, shape_of(seed)));
    REQUIRE(allocations > at_begin);  // the counter works
    if (seed >= 10) {
      set_all_collapsed(*scene.snapshot.trace, true, scene.state);
      scene.update();
    }
    scene.params.width_px = 1'000;
    scene.params.selected = id_at<SliceId>(0);
    const SliceColors colors(scene.snapshot.trace, nullptr, static_cast<ColorRule>(1 + seed % (kColorRules - 1)), ThemeKind::Dark);
    scene.params.colors = &colors;
    const SearchHits hits(*scene.snapshot.trace, find_labels(scene.snapshot.trace->labels, "e"), nullptr, test_pool());
    scene.params.hits = seed % 2 == 0 ? &hits : nullptr;
    const auto length = static_cast<double>(scene.snapshot.trace->extent.length());
    const auto tour = [&] {
      for (int i = 0; i < 20; ++i) scene.draw({length * 0.02 * i, length * std::exp2(-i * 0.4)});
    };
    tour();
    const std::uint64_t before = allocations;
    tour();
    CHECK(allocations == before);
  }
}

TEST_CASE("timeline_frame: the box of a slice for its outline follows view and scroll position") {
  TraceSketch sketch = sketch_of_one_lane();
  sketch.slice("t", 0, 1'000).slice("t", 100, 500, "inner");
  FrameScene scene(sketch);
  scene.params.scroll_y = 7;
  const SliceBox box =
      box_of_slice(*scene.snapshot.trace, scene.layout, {50, 1'000}, scene.params, scene.find("inner"));
  CHECK(box.x0 == 5);
  CHECK(box.x1 == 55);
  CHECK(box.y == 20 + 18 - 7);
  CHECK(box.height == 18);
}
