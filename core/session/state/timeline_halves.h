// One timeline, or two, one above the other (split.h): their lanes, scroll positions and titles. One alone is the upper half.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/time.h"
#include "core/view/lanes/lane_layout.h"
#include "core/view/timeline/split.h"

namespace tv {

/// The part of the window that shows lanes, in pixels.
struct TimelineGeometry {
  float width_px = 1000, height_px = 600;
  LaneMetrics metrics;
  float lower_px = 0;  ///< height of the lower half of a split; height_px is then the height of the upper half
  bool operator==(const TimelineGeometry&) const = default;
};

struct TimelineHalf {
  LaneLayout layout;
  std::string lanes_text;  ///< which lanes are not shown: "24 of 88 lanes, 12 hidden"; empty if all are
  TimeRange extent;        ///< of its lanes in a split
  double scroll_y = 0, scroll_target = 0;

  bool moving() const { return scroll_target != scroll_y; }
};

/// The inputs from which the titles and the steps of both halves were made.
struct TitlesOf {
  std::uint64_t generation = UINT64_MAX;
  std::shared_ptr<const std::vector<StepSource>> steps;
  std::optional<Split> split;
  bool operator==(const TitlesOf&) const = default;
};

struct TimelineHalves {
  TimelineHalf upper, lower;
  std::optional<Split> split;  ///< none: there is one timeline
  TimelineGeometry geometry;
  std::uint64_t layout_version = 0;  ///< changes whenever a layout does, so that drawings based on it can be cached

  std::array<SplitTitle, 2> titles;              ///< the title of each half
  std::array<const StepSource*, 2> steps{};      ///< the steps that each half can show, in titles_of.steps; null: none
  TitlesOf titles_of;  ///< the inputs of `titles` and `steps`

  TimelineHalf& of(SplitHalf half) { return half == SplitHalf::Lower ? lower : upper; }
  const TimelineHalf& of(SplitHalf half) const { return half == SplitHalf::Lower ? lower : upper; }
  bool has(SplitHalf half) const { return half == SplitHalf::Upper || split; }
  float height_of(SplitHalf half) const { return half == SplitHalf::Lower ? geometry.lower_px : geometry.height_px; }
  /// How much later this half is than the upper one at the same position.
  Ns later(SplitHalf half) const { return split ? split->later(half) : 0; }
  bool moving() const { return upper.moving() || (split && lower.moving()); }
};

/// The topmost visible lane, which keeps its place while other lanes come and go.
struct TopLane {
  std::string key;   ///< from lane_keys()
  double above = 0;  ///< pixels of it above the window's top
};

}  // namespace tv
