// Classifies the lanes of a trace by what they show, for the choice of a first view (first_view.h). The result depends on the
// lanes alone, not on which of them are shown. Only a sample of the arrows is read, and only the slices of short rows; for longer
// rows, the index knows the longest slices. Cost: O(rows + lanes log lanes), kLookedAtNodes per row of a stream, and
// kLookedAtArrows binary searches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/index/trace_index.h"
#include "core/store/trace/trace.h"

namespace tv {

inline constexpr std::size_t kLookedAtArrows = 20'000, kLookedAtNodes = 500;

/// What a lane shows, the most informative kind first.
enum class Tells : std::uint8_t {
  Steps,      ///< of a training log or a pipeline
  Phases,     ///< of a rollout's worker
  Ranges,     ///< ranges that the program marked, on a device
  Stream,     ///< of a device, or a stage of a pipeline
  Requests,   ///< of a rollout's worker
  Launching,  ///< a CPU thread that starts work on a device
  Thread,
  Other,  ///< counters, spans of many ids
  Idle,   ///< almost nothing happens in it
  Instants,
  kCount
};

struct KnownLane {
  Tells telling = Tells::Other;
  bool group = false;
  std::size_t root = 0;        ///< the outermost group around it
  std::uint64_t launches = 0;  ///< number of sampled arrows that leave it
  bool communicates = false;   ///< a stream with communication among its longest slices
};

inline bool holds_anything(const Lane& lane) { return lane.holds_anything(); }

/// One entry per lane.
std::vector<KnownLane> known_lanes(const Trace& trace, const TraceIndex& index);

/// Whether there are devices or workers. If not, first_view() does not change the order of lanes.
bool tells_order(const std::vector<KnownLane>& lanes);

}  // namespace tv
