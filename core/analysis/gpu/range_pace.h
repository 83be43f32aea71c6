// The pace of ranges that the program marked repeatedly (an iteration, a phase of a training step): how long each turn took and
// how far apart turns begin, for each rank.
//
//   ProfilerStep#6 [======]   ProfilerStep#7 [=====]      a trailing number is not part of the name:
//                  |<----- delta ----------->|            both are turns of "ProfilerStep#"
//
// Invariant: turns of a line are in the order of time; `number` rises along it. It is the number in the names if those
// rise, else it counts from 0. A line is one lane: among each rank's threads, or streams for projected ranges, the lane
// where the name has the most time.
// iteration_rules.h classifies ranges by their names; the surest mark of an iteration is the default.
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
  bool projected = false;  ///< as time on the GPU
  std::uint64_t count = 0;
  Ns total = 0;  ///< over all lines
  IterationMark mark = IterationMark::Range;

  /// "ProfilerStep#", "ProfilerStep# on the GPU": unique.
  std::string text() const { return projected ? name + " on the GPU" : name; }
};
/// Names that occur at least three times on one lane, or twice if they name steps. The surest marks of an iteration come first,
/// then most time, then by name. Names that only mark parts of steps come last.
std::vector<PaceName> pace_names(const Trace& trace);

struct PaceTurn {
  SliceId slice{};
  std::int64_t number = 0;
  Ns begin = 0, duration = 0;
  std::optional<Ns> delta;  ///< from the begin of the previous turn
};

struct PaceLine {
  std::string name;  ///< of the rank
  LaneId lane{};
  std::vector<PaceTurn> turns;
};
/// One for each rank, or GPU for projected ranges, that has at least two turns; in the order of lanes. `within`: only turns that
/// touch it, unclipped and numbered as in the full list; then one turn is enough.
std::vector<PaceLine> pace(const Trace& trace, const PaceName& name, const std::optional<TimeRange>& within = {});

}  // namespace tv
