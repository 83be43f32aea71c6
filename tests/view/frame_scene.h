// A trace and all that a frame of its timeline is drawn from.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/view/timeline/timeline_frame.h"
#include "tests/support/gen_trace.h"

namespace tv::test {

struct FrameScene {
  Snapshot snapshot;
  Palette palette;
  LaneState state;
  LaneMetrics metrics;
  LaneLayout layout;
  FrameParams params;
  FrameBuilder builder;
  TimelineFrame frame;

  explicit FrameScene(const TraceSketch& sketch) : snapshot(snapshot_of(sketch.build())) {
    palette = Palette(snapshot.trace->labels, ThemeKind::Dark);
    params.width_px = 100;
    params.height_px = 400;
    params.palette = &palette;
    metrics.group_header = 20;
    metrics.gap = 0;
    update();
  }
  FrameScene(const FrameScene&) = delete;

  void update() { layout = LaneLayout(*snapshot.trace, state, metrics); }
  void collapse(std::size_t lane) {
    toggle_lane(*snapshot.trace, id_at<LaneId>(lane), state);
    update();
  }
  const TimelineFrame& draw(const Viewport& view) {
    builder.build(snapshot, layout, view, params, frame);
    return frame;
  }
  SliceId find(std::string_view name) const {
    const Trace& trace = *snapshot.trace;
    for (std::size_t i = 0; i < trace.slices.size(); ++i) {
      if (trace.labels.name(trace.slices.label[i]) == name) return id_at<SliceId>(i);
    }
    return kNone<SliceId>;
  }
  std::uint32_t alpha(const StripItem& strip, std::size_t x) const {
    return frame.texels[strip.first_texel + x] >> 24;
  }
};

inline TraceSketch sketch_of_one_lane() {
  TraceSketch sketch;
  sketch.lane("t", RowRule::Nest);
  return sketch;
}

}  // namespace tv::test
