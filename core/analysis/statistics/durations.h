// The durations of the slices of one name in a scope: all in rising order, and the same by rank, or by GPU, stream or thread if
// there is only one rank. Names are counted together as in range_stats.h ("forward_0", "forward_12" of category "forward").
// Slices that never ended have no length and are counted separately; instants are not slices.
//
// Invariant: lengths are those of whole slices, even of slices that extend beyond the scope, as for quantiles everywhere.
// Quantiles are numpy's (summary.h). `all` and each group are sorted by length, ties by id. Groups are disjoint, in the order of
// their lanes, and together make up `all`. Unit: nanoseconds.
// Cost: reads the label (4 bytes) of each slice in the scope; for the k slices of the name, O(k log k) time and 32 bytes each.
// durations() can be stopped between any two rows.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/scope/scope.h"
#include "core/query/search/search.h"
#include "core/store/trace/trace.h"

namespace tv {

struct SliceLength {
  Ns duration = 0;
  SliceId slice{};
  auto operator<=>(const SliceLength&) const = default;
};

struct DurationGroup {
  LaneId lane{};     ///< a group of lanes, or a lane
  std::string name;  ///< "rank 1", or "rank 1, GPU 0" if several groups are named "GPU 0"
  std::vector<SliceLength> lengths;
};

struct Durations {
  LabelId label = kNone<LabelId>;
  std::vector<SliceLength> all;
  std::vector<DurationGroup> groups;  ///< a single group if all slices are on one lane
  std::uint64_t unfinished = 0;
  bool in_scope = true;    ///< false if durations_or_all() returned the durations of the whole trace
  bool on_lanes = true;    ///< the scope's lanes have the name; else its time range counts on all lanes
  bool cancelled = false;  ///< stopped: the other members are meaningless
};

/// The labels that are counted under the same name as this one.
LabelSet counted_together(const LabelTable& labels, LabelId label);

Durations durations(const Trace& trace, LabelId label, const std::optional<Scope>& scope = {},
                    std::stop_token stop = {});

/// The durations in the scope; if no slice in it ended, those of the whole trace.
Durations durations_or_all(const Trace& trace, LabelId label, const std::optional<Scope>& scope);

/// The name with the most time in the scope: of kernels if GPUs worked, else of all names. A name that occurs once is chosen only
/// if none repeats. If `among` is not empty, only its labels count, of any kind. None if no slice in the scope has such a label.
std::optional<LabelId> leading_name(const Trace& trace, const std::optional<Scope>& scope = {}, const LabelSet& among = {});
/// The label that a user's text stands for. The candidates are the names that equal the text, as written or as statistics count
/// them; if there are none, the names that contain it. Of these, the one with the most time is chosen.
std::optional<LabelId> label_of_text(const Trace& trace, std::string_view text, const std::optional<Scope>& scope = {});

/// Slices of a name whose duration lies in this range.
struct SliceBrush {
  LabelId label = kNone<LabelId>;
  Ns least = 0, most = 0;
  bool operator==(const SliceBrush&) const = default;
};

/// The slices that a brush has singled out, and their share of all slices of that name in the scope.
struct BrushedSlices {
  SliceBrush brush;
  std::vector<SliceId> slices;   ///< rising
  Ns total = 0;                  ///< time of these slices
  std::uint64_t name_count = 0;  ///< number of all slices of the name
  Ns name_total = 0;             ///< time of all slices of the name

  bool contains(SliceId slice) const;
};
BrushedSlices brushed_slices(const Durations& durations, const SliceBrush& brush);
/// "1,234 of 5,678 slices (21.7 %), 45.1 % of their time, last 1 ms to 2.5 ms".
std::string words_of(const BrushedSlices& brushed);

/// The neighbour of `from` in the order longest first, ties in trace order: the next slice if `forward`, else the previous one.
/// If `from` is not among the slices, the longest. The slices are all those with one of the labels, or those of a sorted list.
/// Cost: O(slices).
std::optional<SliceId> next_slowest(const Trace& trace, const LabelSet& labels, SliceId from, bool forward);
std::optional<SliceId> next_slowest(const Trace& trace, std::span<const SliceId> slices, SliceId from, bool forward);

}  // namespace tv
