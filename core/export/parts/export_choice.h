// Which part of a trace is exported, and what was written.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/store/trace/trace.h"

namespace tv {

struct ExportChoice {
  std::optional<TimeRange> range;  ///< relative to the trace's origin; slices that touch the range are written whole
  std::vector<bool> lanes;         ///< by LaneId; empty: all

  bool everything() const { return !range && lanes.empty(); }
  bool has_lane(LaneId lane) const { return lanes.empty() || lanes[idx(lane)]; }
  bool touches(Ns begin, Ns duration) const {
    if (!range) return true;
    return duration == 0 ? begin >= range->begin && begin < range->end
                         : begin < range->end && begin + duration > range->begin;
  }
  bool has(const Trace& trace, SliceId id) const;
};

/// A predicate for RecordBlocks; empty if everything is chosen. It refers to both arguments.
std::function<bool(SliceId)> chosen_records(const Trace& trace, const ExportChoice& choice);

/// The first and one past the last sample that affect the range. The last sample before the range is included if its value still
/// holds where the range begins.
struct SamplePart {
  std::size_t first, last;
};
SamplePart chosen_samples(const CounterSeries& series, const ExportChoice& choice);

struct ExportTotals {
  std::uint64_t slices = 0, instants = 0, samples = 0, flows = 0;
  std::uint64_t bytes = 0;            ///< written
  std::uint64_t without_args = 0;     ///< slices and instants whose record could not be read again
  std::uint64_t flows_moved = 0;      ///< arrows that readers will attach to another slice with the same begin
  std::vector<std::string> problems;  ///< sources that could not be read again, and why
  std::vector<std::string> left_out;  ///< content of the trace that is not in the file: "12 arrows"
};

/// The kinds of content that a format cannot store.
struct ExportLimits {
  bool logs = false;     ///< data of rollout, training and pipeline logs that is not in slices
  bool members = false;  ///< members of Trace Event files other than events
  bool args = false, arrows = false, samples = false;
};
/// Adds content that the format cannot store to `totals.left_out`, if the trace has any; args are named even if it has none.
void name_left_out(const Trace& trace, ExportTotals& totals, const ExportLimits& limits);

/// Counts the chosen slices, instants, samples and flows; leaves the other members unchanged.
void count_chosen(const Trace& trace, const ExportChoice& choice, ExportTotals& totals);

}  // namespace tv
