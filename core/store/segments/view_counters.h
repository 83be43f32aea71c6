// Makes the counters of a view: the samples that its segments have on a lane become one series. The first samples are shared with
// the earlier view, as far as both views have the same ones; if there are none, they are shared with the first segment, if that
// is not shifted. So the next view of a growing run costs only its new samples.
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
  /// The parts of `view` must have been placed. `earlier`: the previous view, or null; it does not change the result.
  ViewCounters(Trace& view, const Trace* earlier);

  /// Adds the counter of a lane. `pieces`: by part, where its samples are; CounterPiece::end is ignored.
  void add(LaneId lane, std::span<const CounterPiece> pieces);

 private:
  const CounterSeries& series_of(const CounterPiece& piece) const {
    return view_.parts[piece.part].segment->counters[piece.counter];
  }
  std::size_t share_beginning(std::span<const CounterPiece> pieces, CounterSeries& all) const;
  std::size_t pieces_as_before(std::span<const CounterPiece> pieces, const CounterSeries& before) const;

  Trace& view_;
  const Trace* const earlier_;
  // The counters of the earlier view, by segment and counter of their first piece.
  std::map<std::pair<const Trace*, std::uint32_t>, const CounterSeries*> before_;
};

}  // namespace tv
