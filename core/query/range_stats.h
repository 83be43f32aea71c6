// Statistics per label over the slices that touch a time range, for the table of an area selection.
//
// A slice counts if it touches the range. Times (total, self and their sums) are clipped to the range. Durations (mean,
// percentiles, least and longest) refer to whole slices: half a kernel is not a short kernel. Percentiles interpolate linearly
// between the two nearest ranks, h = (n - 1) p, exactly as numpy does. Instants do not count. Names that consist of their
// category and a number ("forward_0", "forward_1": a pipeline's micro-batches) are counted together. A slice that never ended
// counts, but adds to no time or duration, because its length is unknown.
//
// Memory does not grow with the number of slices. Quantiles are exact nevertheless: slices that do not fit into StatsMemory are
// read again (rank_search.h), and unions are computed for one time window after another (covered_time.h). The numbers do not
// depend on the memory, the threads or the segments. The computation can be stopped between any two rows.
// Cost: two passes over the slices, three to five if more than StatsMemory::lengths slices count. Unions need two more, and sort
// the slices of each row of the table by begin unless they are sorted already. Memory: 100 bytes for each name and thread; if
// there are many names, fewer threads count.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/threads/thread_pool.h"
#include "core/index/snapshot.h"
#include "core/query/bounded/stats_progress.h"

namespace tv {

/// Counts slices in groups instead of by name. One of the three vectors gives the group, by label, by lane or by slice.
/// Slices with kInNoGroup do not count.
struct StatsGroups {
  std::vector<std::uint32_t> of_label, of_lane, of_slice;
  std::vector<std::string> names;  ///< of the groups
};
inline constexpr std::uint32_t kInNoGroup = UINT32_MAX;

/// By slice: whether it counts.
using SliceMask = std::vector<bool>;

/// Spans held at once for unions (StatsMemory::spans).
inline constexpr std::size_t kMostSpans = std::size_t{4} << 20;

struct StatsQuery {
  std::optional<TimeRange> range;  ///< none = the whole trace
  std::vector<LaneId> lanes;       ///< lanes and groups; empty = all
  std::vector<bool> labels = {};   ///< by label: whether it counts; empty = all
  std::shared_ptr<const SliceMask> only = {};      ///< null: all
  std::shared_ptr<const StatsGroups> groups = {};  ///< null: by name
  bool unions = false;             ///< LabelStats::busy is wanted
  bool busy = false;               ///< RangeStats::busy is wanted
  bool operator==(const StatsQuery&) const = default;
};

/// The name that a label is counted under: "forward" for "forward_12" of category "forward", else its own.
std::string_view counted_name(const LabelTable& labels, LabelId label);

struct LabelStats {
  LabelId label{};  ///< the first of the labels counted together; for a group, the label of its longest slice
  std::uint32_t group = kInNoGroup;  ///< index into StatsGroups::names
  std::uint64_t count = 0;
  std::uint64_t unfinished = 0;  ///< part of `count`: slices that never ended; all times are 0 if no slice ended
  Ns total = 0, self = 0;        ///< within the range
  Ns busy = 0;                   ///< part of the range during which any of the slices ran; computed if `unions` asks for it
  Ns min = 0, max = 0;           ///< of whole slices, as everything below
  double mean = 0, p50 = 0, p90 = 0, p95 = 0, p99 = 0;  ///< ns
  double stddev = 0;  ///< ns; of the sample (n - 1), as in nsys stats; 0 for a single slice
  SliceId longest{};  ///< the first slice as long as max; if all are unfinished, the first of them

  std::uint64_t finished() const { return count - unfinished; }
};

struct LengthQuantile {
  double part;
  double LabelStats::* member;
};
/// The quantiles of lengths that are computed.
inline constexpr std::array kLengthQuantiles = {LengthQuantile{0.50, &LabelStats::p50}, LengthQuantile{0.90, &LabelStats::p90},
                                                LengthQuantile{0.95, &LabelStats::p95}, LengthQuantile{0.99, &LabelStats::p99}};

/// Limits of the memory, apart from that for names: 128 MB for quantiles, then 64 MB for unions, for any number of slices.
struct StatsMemory {
  std::size_t lengths = std::size_t{12} << 20;  ///< for quantiles; 8 bytes each
  std::size_t bins = std::size_t{8} << 20;      ///< for quantiles; 4 bytes each
  std::size_t spans = kMostSpans;               ///< for unions; 16 bytes each; at least four for each row
};

struct RangeStats {
  std::vector<LabelStats> labels;  ///< by total, longest first; then by name and category, or by group
  std::uint64_t count = 0, unfinished = 0;
  Ns total = 0, self = 0;
  std::uint64_t cut = 0;   ///< part of `count`: slices that the range clips
  /// Part of the range during which any counted slice ran, if StatsQuery::busy asks for it. None if every slice on the lanes
  /// counts and has ended, as busy_union() then gives the same number at less cost.
  std::optional<Ns> busy;
  bool cancelled = false;  ///< stopped: the other members are meaningless
  StatsMemory held = {0, 0, 0};  ///< the most memory held at once
  std::size_t passes = 0;        ///< number of passes for quantiles
};

RangeStats range_stats(const Trace& trace, const StatsQuery& query, ThreadPool& pool, std::stop_token stop = {},
                       const StatsMemory& memory = {}, StatsProgress* progress = nullptr);

/// The slices that count, without instants, lane by lane.
std::vector<SliceId> counted_slices(const Trace& trace, const StatsQuery& query);

/// "3", "3 (1 unfinished)".
std::string counted_text(const LabelStats& stats);
/// The names of the rows: the counted name, with its category if another row has the same name.
std::vector<std::string> shown_names(const LabelTable& labels, const RangeStats& stats);

/// The time within the range (none = the whole trace) during which at least one of the lanes is busy. A slice that never ended
/// counts as far as it is drawn. Meaningless if stopped.
Ns busy_union(const Snapshot& snapshot, const StatsQuery& query, std::stop_token stop = {}, std::size_t most_spans = kMostSpans);

/// The time within the range during which any counted slice ran, without those that never ended. `stats`: the results of this
/// query, which must ask for `busy`. Meaningless if stopped.
Ns busy_time(const Snapshot& snapshot, const StatsQuery& query, const RangeStats& stats, std::stop_token stop = {});

/// Linear interpolation between ranks; `sorted` must not be empty, 0 <= p <= 1.
double percentile(const std::vector<Ns>& sorted, double p);

}  // namespace tv
