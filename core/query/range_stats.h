// Statistics per label over the slices that touch a time range: the table behind an area selection.
//
// Times are of the range: total, self and so what they add up to are clipped to it; a slice counts when it touches it.
// Durations (mean, percentiles, least and longest) are those of whole slices: half a kernel is no short kernel.
// Percentiles interpolate linearly between the two nearest ranks, h = (n - 1) p, exactly as numpy does. Instants do not count. Names that are their category
// with a number ("forward_0", "forward_1": a pipeline's micro-batches) are counted together. Cost: two
// passes over the slices and a selection per label; 8 bytes of scratch per slice that counts.
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/thread_pool.h"
#include "core/index/snapshot.h"

namespace tv {

struct StatsQuery {
  std::optional<TimeRange> range;  ///< none = the whole trace
  std::vector<LaneId> lanes;       ///< lanes and groups; empty = all
  std::vector<bool> labels = {};   ///< by label whether it counts; empty = all
  bool operator==(const StatsQuery&) const = default;
};

/// The name that a label is counted under: "forward" for "forward_12" of category "forward", else its own.
std::string_view counted_name(const LabelTable& labels, LabelId label);

struct LabelStats {
  LabelId label{};  ///< the first of those that are counted together
  std::uint64_t count = 0;
  Ns total = 0, self = 0;  ///< within the range
  Ns min = 0, max = 0;     ///< of whole slices, as all that follows
  double mean = 0, p50 = 0, p90 = 0, p95 = 0, p99 = 0;  ///< ns
  double stddev = 0;  ///< ns; the sample's (n - 1), as nsys stats has it; 0 of one
  SliceId longest{};  ///< the first of those as long as max
};

struct RangeStats {
  std::vector<LabelStats> labels;  ///< by total, longest first; then name, category
  std::uint64_t count = 0;
  Ns total = 0, self = 0;
  std::uint64_t cut = 0;   ///< of count: slices that the range clips
  bool cancelled = false;  ///< stopped: the rest is meaningless
};

RangeStats range_stats(const Trace& trace, const StatsQuery& query, ThreadPool& pool,
                       std::stop_token stop = {});

/// What the rows are called: the counted name, with its category where another row has the same name.
std::vector<std::string> shown_names(const LabelTable& labels, const RangeStats& stats);

/// The time within the range (none = the whole trace) during which at least one of the lanes is busy.
Ns busy_union(const Snapshot& snapshot, const StatsQuery& query);

/// Linear interpolation between ranks; `sorted` is not empty, 0 <= p <= 1.
double percentile(const std::vector<Ns>& sorted, double p);

}  // namespace tv
