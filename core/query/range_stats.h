// Statistics per label over the slices that touch a time range: the table behind an area selection.
//
// Times are of the range: total, self and so what they add up to are clipped to it; a slice counts when it touches it.
// Durations (mean, percentiles, least and longest) are those of whole slices: half a kernel is no short kernel.
// Percentiles interpolate linearly between the two nearest ranks, h = (n - 1) p, exactly as numpy does. Instants do not
// count. Names that are their category with a number ("forward_0", "forward_1": a pipeline's micro-batches) are counted
// together. A slice that never ended counts, but how long it lasted nobody knows: it is in no time, total, least or
// longest. Cost: two
// passes over the slices and a selection per label; 8 bytes of scratch per slice that counts, 24 with unions, which
// sort the slices of each row of the table by begin where they are not sorted by themselves.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/threads/thread_pool.h"
#include "core/index/snapshot.h"

namespace tv {

/// What slices are counted under instead of their names: one of the three says so, by label, by lane or by slice.
/// kInNoGroup: in none, and so not counted.
struct StatsGroups {
  std::vector<std::uint32_t> of_label, of_lane, of_slice;
  std::vector<std::string> names;  ///< of the groups
};
inline constexpr std::uint32_t kInNoGroup = UINT32_MAX;

/// By slice whether it counts.
using SliceMask = std::vector<bool>;

struct StatsQuery {
  std::optional<TimeRange> range;  ///< none = the whole trace
  std::vector<LaneId> lanes;       ///< lanes and groups; empty = all
  std::vector<bool> labels = {};   ///< by label whether it counts; empty = all
  std::shared_ptr<const SliceMask> only = {};      ///< null: all
  std::shared_ptr<const StatsGroups> groups = {};  ///< null: by name
  bool unions = false;             ///< LabelStats::busy is wanted
  bool operator==(const StatsQuery&) const = default;
};

/// The name that a label is counted under: "forward" for "forward_12" of category "forward", else its own.
std::string_view counted_name(const LabelTable& labels, LabelId label);

struct LabelStats {
  LabelId label{};  ///< the first of those that are counted together; of groups that of the longest slice
  std::uint32_t group = kInNoGroup;  ///< index into StatsGroups::names
  std::uint64_t count = 0;
  std::uint64_t unfinished = 0;  ///< of count: those that never ended; where it is all of them, all times are 0
  Ns total = 0, self = 0;        ///< within the range
  Ns busy = 0;                   ///< of the range: during which at least one of them ran; asked for by `unions`
  Ns min = 0, max = 0;           ///< of whole slices, as all that follows
  double mean = 0, p50 = 0, p90 = 0, p95 = 0, p99 = 0;  ///< ns
  double stddev = 0;  ///< ns; the sample's (n - 1), as nsys stats has it; 0 of one
  SliceId longest{};  ///< the first of those as long as max; of unfinished ones alone the first

  std::uint64_t finished() const { return count - unfinished; }
};

struct RangeStats {
  std::vector<LabelStats> labels;  ///< by total, longest first; then name, category
  std::uint64_t count = 0, unfinished = 0;
  Ns total = 0, self = 0;
  std::uint64_t cut = 0;   ///< of count: slices that the range clips
  bool cancelled = false;  ///< stopped: the rest is meaningless
};

RangeStats range_stats(const Trace& trace, const StatsQuery& query, ThreadPool& pool,
                       std::stop_token stop = {});

/// The slices that count, instants left out, lane by lane.
std::vector<SliceId> counted_slices(const Trace& trace, const StatsQuery& query);

/// "3", "3 (1 unfinished)".
std::string counted_text(const LabelStats& stats);
/// What the rows are called: the counted name, with its category where another row has the same name.
std::vector<std::string> shown_names(const LabelTable& labels, const RangeStats& stats);

/// The time within the range (none = the whole trace) during which at least one of the lanes is busy.
Ns busy_union(const Snapshot& snapshot, const StatsQuery& query);

/// Linear interpolation between ranks; `sorted` is not empty, 0 <= p <= 1.
double percentile(const std::vector<Ns>& sorted, double p);

}  // namespace tv
