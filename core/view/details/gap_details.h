// Details of a gap (lane_gaps.h): its length, the slices around it, reasons if they are known, and what ran meanwhile.
// Cost: one look at every lane of the process; on a GPU also the union of its streams in the gap's time. Once per selection, not
// per frame.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/gpu/gpu_activity.h"
#include "core/query/lane_gaps.h"
#include "core/view/details/slice_details.h"
#include "core/view/words/time_style.h"

namespace tv {

struct GapDetails {
  Gap gap;
  std::vector<std::string> lane_path;
  std::string title;  ///< "gap of 12.5 ms: nothing runs on this lane"
  RelatedSlice before, after;
  std::vector<std::string> reasons;     ///< what is known about the cause
  std::optional<RelatedSlice> launch;   ///< the launch of `after`, if an arrow connects a call to it
  std::vector<RelatedSlice> meanwhile;  ///< slices of the process that run in the middle of the gap; RelatedSlice::gap: duration
  std::uint64_t more_meanwhile = 0;     ///< number of such slices that are not in `meanwhile`
  std::string place;                    ///< "the 3rd longest of 120 on this lane"; empty: not known

  static constexpr std::size_t kMostMeanwhile = 8;
  /// The text that Copy puts on the clipboard.
  std::string text(const TimeStyle& style) const;
};

/// `gpus`: for the same trace, or null.
GapDetails gap_details(const Snapshot& snapshot, const GpuActivity* gpus, const Gap& gap);
/// "the longest of 120 on this lane", "the 3rd longest of the lanes shown" (no total: `gaps` has only the longest). Empty if the
/// gap is not among them.
std::string place_among(const std::vector<Gap>& gaps, const Gap& gap, bool of_one_lane);
/// Three lines for a tooltip: length, the slice that ended, the slice that begins.
std::string gap_tooltip(const Trace& trace, const Gap& gap);

}  // namespace tv
