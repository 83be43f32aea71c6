// The pace of ranges that the program marked repeatedly (an iteration, a phase of a training step): how long each turn took and
// how far apart turns begin, for each rank.
//
//   ProfilerStep#6 [======]   ProfilerStep#7 [=====]      a trailing number is not part of the name:
//                  |<----- delta ----------->|            both are turns of "ProfilerStep#"
//
// Invariant: the turns of a line are in the order of time, with rising numbers. The numbers are those in the names if these rise,
// else they count from 0. A line is one lane: of each rank's threads, or of its streams for projected ranges, the lane on which
// the name has the most time.
// iteration_rules.h classifies ranges by their names. By default, the name that most surely marks an iteration is shown.
// Cost: reads every slice's label once. Source: nsys recipe nvtx_pace.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/store/rules/iteration_rules.h"
#include "core/store/trace/trace.h"

namespace tv {

struct PaceName {
  std::string name;        ///< repeated_name()
  bool projected = false;  ///< the ranges are projected to the GPU
  std::uint64_t count = 0;
  Ns total = 0;  ///< over all lines
  IterationMark mark = IterationMark::Range;

  /// A unique text: "ProfilerStep#", "ProfilerStep# on the GPU".
  std::string text() const { return projected ? name + " on the GPU" : name; }
};
/// Names that occur at least three times on one lane, or twice if they name steps. Sorted by how surely they mark an iteration
/// (names that only mark parts of steps come last), then by time, then by name.
std::vector<PaceName> pace_names(const Trace& trace);

struct PaceTurn {
  SliceId slice{};
  std::int64_t number = 0;
  Ns begin = 0, duration = 0;
  std::optional<Ns> delta;  ///< from the begin of the previous turn
};

struct PaceLine {
  std::string name;  ///< of the rank or GPU
  LaneId lane{};
  std::vector<PaceTurn> turns;
};
/// One for each rank, or GPU for projected ranges, that has at least two turns; in the order of lanes. With `within`, only turns
/// that touch this range, unclipped and numbered as in the full list; one such turn is enough.
std::vector<PaceLine> pace(const Trace& trace, const PaceName& name, const std::optional<TimeRange>& within = {});

}  // namespace tv
