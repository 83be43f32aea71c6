// The counters of a view: the samples that its segments have for a lane, as one series. The beginning that the earlier view had is
// shared with it. Without one, the first segment's own is shared, so a run that grows costs only its new samples.
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
  /// `view` has its parts in their places. `earlier`: the view before, or null; what comes out is the same.
  ViewCounters(Trace& view, const Trace* earlier);

  /// `pieces`: where the lane's samples are, by part; their ends are not looked at.
  void add(LaneId lane, std::span<const CounterPiece> pieces);

 private:
  const CounterSeries& own(const CounterPiece& piece) const {
    return view_.parts[piece.part].segment->counters[piece.counter];
  }
  std::size_t share_beginning(std::span<const CounterPiece> pieces, CounterSeries& all) const;
  std::size_t pieces_as_before(std::span<const CounterPiece> pieces, const CounterSeries& before) const;

  Trace& view_;
  const Trace* const earlier_;
  std::map<std::pair<const Trace*, std::uint32_t>, const CounterSeries*> before_;  // by the segment and counter they begin with
};

}  // namespace tv
