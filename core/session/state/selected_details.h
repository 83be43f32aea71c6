// Details of the selection. Workspace makes them again when the selection or the snapshot changes, and completes them when the
// analysis is ready.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/collectives/collective_waits.h"
#include "core/analysis/rollout/rollout.h"
#include "core/base/ids.h"
#include "core/query/lane_gaps.h"
#include "core/view/details/gap_details.h"
#include "core/view/details/slice_details.h"
#include "core/view/details/wait_details.h"

namespace tv {

/// The last arrow that was followed.
struct WalkedFlow {
  SliceId from{}, arrived{};
  bool forward = true;
  std::size_t at = 0;  ///< which of the arrows of `from`
};

/// The gaps that the key I visits, longest first. They are found once for a given set of lanes.
struct WalkedGaps {
  std::uint64_t generation = UINT64_MAX, layout = 0;
  LaneId lane = kNone<LaneId>;  ///< the lane of the gaps; none: all lanes that are shown
  std::vector<Gap> gaps;
};

struct SelectedDetails {
  std::optional<SliceDetails> details;
  std::optional<GapDetails> gap;
  bool gap_explained = false;  ///< `gap` was described with the analysis of the shown trace's GPUs
  std::vector<std::string> differences;  ///< between several slices

  WaitDetails waits;  ///< how long the slice waited in its collective or at a barrier, once this is known
  std::uint64_t waits_version = 0;
  /// The inputs from which `waits` were made.
  struct WaitsOf {
    std::shared_ptr<const CollectiveWaits> collectives;
    std::shared_ptr<const Rollout> rollout;
    SliceId slice = kNone<SliceId>;
    bool operator==(const WaitsOf&) const = default;
  };
  WaitsOf waits_of;

  std::optional<WalkedFlow> walked;
  WalkedGaps walked_gaps;

  void forget() {
    details.reset();
    gap.reset();
    differences.clear();
  }
};

}  // namespace tv
