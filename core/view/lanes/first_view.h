// What is seen first, by what a trace holds: the order of its lanes, and which of them are shown, folded to what fits.
//
//   rollouts                  the phases of all workers, who was busy with requests longest first; then that worker's requests
//   streams of several ranks  the streams of all, one below the other; when they are too many, each rank's with the most work
//   streams of one rank       streams, the CPU threads that launch work, other threads, idle ones, the rest
//   anything else             the tree as it is in the file
//
// While everything fits, the tree is shown. Rows are opened as far as there is room, lanes that say most first; the last may
// go on below the window; requests have rows as low as lines, so that the longest one is in sight. Where even one row each is too much
// for the window, rows become smaller, down to kLeastScale; where that is not enough to show all, they stay as they are.
// While a file is still being read the order is that of the file, so that lanes do not change places at every picture.
// Cost: O(lanes log lanes), and kLookedAtArrows binary searches. Source: findings of readers' tests; issue "Readable".
#pragma once

#include <string_view>
#include <vector>

#include "core/view/lanes/lane_layout.h"

namespace tv {

inline constexpr float kLeastScale = 0.4f;
inline constexpr std::size_t kLookedAtArrows = 20'000;

struct FirstView {
  std::vector<OverviewLane> lanes;  ///< empty: the tree
  float scale = 1;                  ///< of their sizes
};

/// `height`: of the lanes on the screen, without the line that says what is not shown; `complete`: the trace is read to its end.
/// `among`: by lane, where only some are meant; empty: all.
FirstView first_view(const Trace& trace, const LaneMetrics& metrics, float height, bool complete, const std::vector<bool>& among = {});

/// Per lane, for LaneState::first_order: devices before the threads that feed them, idle ones last. Empty where the trace has no
/// devices and no workers: others know better how their lanes belong together.
std::vector<double> first_order(const Trace& trace, bool complete);

/// The panel that fits what was opened, by its id: "blame", "training", "pipeline", "gpu"; "statistics" where nothing else fits.
std::string_view first_panel(const Trace& trace);

}  // namespace tv
