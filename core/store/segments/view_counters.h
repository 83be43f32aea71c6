// The counters of a view: the samples that its segments have for a lane, as one series. The beginning that the earlier view also
// had is shared with it, otherwise the first segment's series if it is not shifted. So a growing run costs only its new samples.
//
//   before   part 0 | part 1
//   view     part 0 | part 1 | part 2
//            └─ shared ─┘
//
// Samples of segments that run at the same time are merged, and therefore copied. Cost: O(segments of the lane + samples that
// are not shared).
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <utility>

#include "core/store/trace/trace.h"

namespace tv {

class ViewCounters {
 public:
  /// The parts of `view` have their places. `earlier`: the previous view, or null; it does not change the result.
  ViewCounters(Trace& view, const Trace* earlier);

  /// `pieces`: the lane's samples, by part; their ends are ignored.
  void add(LaneId lane, std::span<const CounterPiece> pieces);

 private:
  const CounterSeries& own(const CounterPiece& piece) const {
    return view_.parts[piece.part].segment->counters[piece.counter];
  }
  std::size_t share_beginning(std::span<const CounterPiece> pieces, CounterSeries& all) const;
  std::size_t pieces_as_before(std::span<const CounterPiece> pieces, const CounterSeries& before) const;

  Trace& view_;
  const Trace* const earlier_;
  std::map<std::pair<const Trace*, std::uint32_t>, const CounterSeries*> before_;  // by the segment and counter of its first piece
};

}  // namespace tv
