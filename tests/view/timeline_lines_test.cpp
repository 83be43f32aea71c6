// Lines of a lane that hold rows of several segments are drawn and hit as if all were one segment.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core/view/timeline/pick.h"
#include "core/view/timeline/timeline_frame.h"
#include "tests/support/gen_segments.h"
#include "tests/support/gen_trace.h"

using namespace tv;
using namespace tv::test;

namespace {

// A window of a thread every 100 ms: a stack (one deeper in the second window), an instant, then many short slices.
SourceView window_of_thread(int number) {
  TraceSketch sketch;
  sketch.lane("t", RowRule::Nest);
  sketch.slice("t", 0, kMillisecond, "outer").slice("t", 100'000, 500'000, "inner").instant("t", 300'000);
  if (number == 1) sketch.slice("t", 200'000, 100'000, "deeper");
  for (int i = 0; i < 50; ++i) sketch.slice("t", 2 * kMillisecond + i * 1'000, 500, "short");
  SourceView view = sketch.view();
  view.info.path = std::to_string(number);
  view.clock_base = {number * 100 * kMillisecond};
  return view;
}

std::shared_ptr<const Trace> three_windows() {
  return compose({built({window_of_thread(2)}), built({window_of_thread(0)}), built({window_of_thread(1)})}).value();
}

struct DrawnLines {
  explicit DrawnLines(std::shared_ptr<const Trace> trace)
      : snapshot(snapshot_of(std::move(trace))), palette(snapshot.trace->labels, ThemeKind::Dark) {
    params.width_px = 100;
    params.height_px = 400;
    params.palette = &palette;
    lay_out();
  }
  DrawnLines(const DrawnLines&) = delete;
  void lay_out() { layout = LaneLayout(*snapshot.trace, state, LaneMetrics()); }
  const TimelineFrame& draw(const Viewport& view) {
    builder.build(snapshot, layout, view, params, frame);
    return frame;
  }

  Snapshot snapshot;
  Palette palette;
  LaneState state;
  LaneLayout layout;
  FrameParams params;
  FrameBuilder builder;
  TimelineFrame frame;
};

using DrawnRect = std::tuple<float, float, float, float, Rgba>;
std::vector<DrawnRect> rects_of(const TimelineFrame& frame) {
  std::vector<DrawnRect> out;
  for (const RectItem& rect : frame.rects) out.emplace_back(rect.y, rect.x0, rect.x1, rect.height, rect.color);
  std::ranges::sort(out);
  return out;
}

double ink_of(const TimelineFrame& frame) {
  double alpha = 0;
  for (const Rgba texel : frame.texels) alpha += texel >> 24;
  return alpha;
}

}  // namespace

TEST_CASE("timeline lines: a thread split into segments looks like one segment") {
  DrawnLines whole(built({window_of_thread(0), window_of_thread(1), window_of_thread(2)})), parts(three_windows());
  REQUIRE(parts.snapshot.trace->rows.size() > whole.snapshot.trace->rows.size());
  CHECK(parts.layout.height() == whole.layout.height());
  const auto length = static_cast<double>(whole.snapshot.trace->extent.length());
  for (const Viewport view : {Viewport{0, length}, Viewport{90e6, 30e6}, Viewport{100e6, 3e6}}) {
    const TimelineFrame &a = whole.draw(view), &b = parts.draw(view);
    CHECK(rects_of(b) == rects_of(a));
    CHECK(b.strips.size() == a.strips.size());
    CHECK(b.texts.size() == a.texts.size());
    // The slices in a pyramid node that a pixel cuts have no known place, and segments have other nodes.
    CHECK(ink_of(b) == doctest::Approx(ink_of(a)).epsilon(0.02));
  }
  for (DrawnLines* const drawn : {&whole, &parts}) {
    toggle_lane(*drawn->snapshot.trace, LaneId{0}, drawn->state);
    drawn->lay_out();
  }
  CHECK(ink_of(parts.draw({0, length})) == doctest::Approx(ink_of(whole.draw({0, length}))).epsilon(0.02));
}

TEST_CASE("timeline lines: many segments, each narrower than a pixel, are drawn and marked like one") {
  constexpr int kWindows = 300;
  std::vector<SourceView> windows;
  std::vector<std::shared_ptr<const Trace>> segments;
  for (int n = 0; n < kWindows; ++n) {
    windows.push_back(window_of_thread(n));
    segments.push_back(built({window_of_thread(n)}));
  }
  std::ranges::shuffle(segments, std::mt19937(1));  // files need not come in the order of time
  DrawnLines whole(built(std::move(windows))), parts(compose(std::move(segments)).value());
  REQUIRE(parts.snapshot.trace->parts.size() == kWindows);
  const auto inner_at = [](const Trace& trace, int window) {
    for (const SliceId id : trace.ids()) {
      if (trace.begin_of(id) == window * 100 * kMillisecond + 100'000 && trace.name_of(id) == "inner") return id;
    }
    return kNone<SliceId>;
  };
  for (const bool brushes : {false, true}) {
    std::vector<SliceId> brushed[2];
    for (const int which : {0, 1}) {
      DrawnLines& drawn = which == 0 ? whole : parts;
      for (const int window : {7, 8, 203}) brushed[which].push_back(inner_at(*drawn.snapshot.trace, window));
      std::ranges::sort(brushed[which]);
      drawn.params.brushed = brushes ? &brushed[which] : nullptr;
    }
    // Three windows to a pixel; the same, cut by pixels and the edges; one or none to a pixel.
    for (const auto& [view, with_brushed] : {std::pair(Viewport{0, 30e9}, 2), {Viewport{0.151e9, 28.17e9}, 3}, {Viewport{17.3e9, 6e9}, 1}}) {
      const TimelineFrame &a = whole.draw(view), &b = parts.draw(view);
      CHECK(rects_of(b) == rects_of(a));
      REQUIRE(b.texels.size() == a.texels.size());
      int differ = 0, marked = 0;
      for (std::size_t at = 0; at < a.texels.size(); ++at) {
        const auto alpha_a = static_cast<int>(a.texels[at] >> 24), alpha_b = static_cast<int>(b.texels[at] >> 24);
        differ += (a.texels[at] & 0xffffff) != (b.texels[at] & 0xffffff) || std::abs(alpha_a - alpha_b) > 2;
        marked += static_cast<Rgba>(alpha_b) == kMostFolded;
      }
      CHECK(differ == 0);
      CHECK(marked == (brushes ? with_brushed : 0));
    }
  }
}

TEST_CASE("timeline lines: picking finds the slice at a time, whichever segment it is in") {
  const Snapshot snapshot = snapshot_of(three_windows());
  const Trace& trace = *snapshot.trace;
  const LaneLayout layout(trace, {}, LaneMetrics());
  const LaneBox& box = layout.boxes()[1];
  REQUIRE(box.line_count == 3);
  const auto at = [&](Ns t, double y) {
    return *pick(snapshot, layout, {0, 300e6}, 300'000'000, 0, static_cast<double>(t), y, 3);
  };
  for (const int number : {0, 1, 2}) {
    CAPTURE(number);
    const Ns begin = number * 100 * kMillisecond;
    const Pick on_slice = at(begin + 700'000, box.rows_y() + 2);
    REQUIRE(on_slice.slice);
    CHECK(trace.name_of(*on_slice.slice) == "outer");
    CHECK(trace.begin_of(*on_slice.slice) == begin);
    CHECK(trace.row_of(*on_slice.slice) == on_slice.place.row);
    const Pick on_instant = at(begin + 300'000, box.instants_y() + 2);
    REQUIRE(on_instant.slice);
    CHECK(trace.begin_of(*on_instant.slice) == begin + 300'000);
    CHECK(at(begin + 250'000, box.line_y(2) + 2).slice.has_value() == (number == 1));
  }
  const Pick between = at(50 * kMillisecond, box.rows_y() + 2);
  CHECK(!between.slice);
  REQUIRE(between.gap);
  CHECK(between.gap->time.end == 100 * kMillisecond);
}

TEST_CASE("timeline lines: of two slices near the mouse, the one under it is picked") {
  const auto segment = [](const char* name, Ns begin) {
    SourceView view = TraceSketch().lane("t", RowRule::Nest).slice("t", 0, kMillisecond, name).instant("t", kMillisecond / 2).view();
    view.info.path = name;
    view.clock_base = {begin};
    return view;
  };
  const Snapshot snapshot = snapshot_of(compose({built({segment("first", 0)}), built({segment("second", kMillisecond + 15'000)})}).value());
  const LaneLayout layout(*snapshot.trace, {}, LaneMetrics());
  const LaneBox& box = layout.boxes()[1];
  REQUIRE(box.line_count == 1);
  const auto at = [&](Ns t, double y) {  // the tolerance of 3 pixels exceeds their distance
    return *pick(snapshot, layout, {0, 30e6}, 100, 0, static_cast<double>(t) / 300e3, y, 3);
  };
  for (const auto& [t, name] : {std::pair(kMillisecond - 100'000, "first"), std::pair(kMillisecond + 115'000, "second")}) {
    const Pick on_slice = at(t, box.rows_y() + 2);
    REQUIRE(on_slice.slice);
    CHECK(snapshot.trace->name_of(*on_slice.slice) == name);
  }
  const Ns second = kMillisecond + 15'000 + kMillisecond / 2;
  const Pick on_instant = at(second, box.instants_y() + 2);
  REQUIRE(on_instant.slice);
  CHECK(snapshot.trace->begin_of(*on_instant.slice) == second);
}
