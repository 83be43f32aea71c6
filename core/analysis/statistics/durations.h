// The durations of the slices of one name: all of them in a scope, in rising order, and the same for each rank, or for each
// GPU, stream or thread if there is only one rank. Names are counted together as in range_stats.h ("forward_0",
// "forward_12" of category "forward"). A slice that never ended has no length and is counted separately; instants are not slices.
//
// Invariant: lengths are of whole slices, even of those that reach out of the scope, as quantiles are everywhere.
// Quantiles are numpy's (summary.h). `all` and each group rise, equal lengths by id; groups are in the order of their
// lanes and share nothing; together they are `all`. Nanoseconds.
// Cost: one look at each slice's label in the scope, 4 bytes, and O(k log k) for the k that have it; 32 bytes each.
// Can be stopped between any two rows.
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
  std::string name;  ///< "rank 1", "GPU 0", with the groups around it if needed
  std::vector<SliceLength> lengths;
};

struct Durations {
  LabelId label = kNone<LabelId>;
  std::vector<SliceLength> all;
  std::vector<DurationGroup> groups;  ///< one where nothing tells the slices apart
  std::uint64_t unfinished = 0;
  bool in_scope = true;    ///< for durations_or_all(): false if they are all there are
  bool on_lanes = true;    ///< the scope's lanes have the name; else its time counts, on all lanes
  bool cancelled = false;  ///< stopped: the rest is meaningless
};

/// Labels that are counted under the same name.
LabelSet counted_together(const LabelTable& labels, LabelId label);

Durations durations(const Trace& trace, LabelId label, const std::optional<Scope>& scope = {},
                    std::stop_token stop = {});

/// The durations in the scope. If none in it ended, those of the whole trace.
Durations durations_or_all(const Trace& trace, LabelId label, const std::optional<Scope>& scope);

/// The name with the most time in the scope: of kernels where GPUs worked, else of all; what comes once is behind all
/// that comes again. Empty set: of all names, else of these. None: no slice has one.
std::optional<LabelId> leading_name(const Trace& trace, const std::optional<Scope>& scope = {},
                                    const LabelSet& among = {}, std::stop_token stop = {});
/// The label that a text means: the name as it is counted, or else a part of names, the first of those.
std::optional<LabelId> name_said(const Trace& trace, std::string_view text, const std::optional<Scope>& scope = {});

/// Slices of a name that are neither shorter nor longer than that.
struct SliceBrush {
  LabelId label = kNone<LabelId>;
  Ns least = 0, most = 0;
  bool operator==(const SliceBrush&) const = default;
};

/// Those that a brush has singled out, and what part of all of that name in the scope they are.
struct BrushedSlices {
  SliceBrush brush;
  std::vector<SliceId> slices;  ///< rising
  std::uint64_t of = 0;         ///< how many have the name
  Ns total = 0, of_total = 0;   ///< time of them; of all that have it

  bool contains(SliceId slice) const;
};
BrushedSlices brushed_slices(const Durations& durations, const SliceBrush& brush);
/// "1,234 of 5,678 slices (21.7 %), 45.1 % of their time, last 1 ms to 2.5 ms".
std::string words_of(const BrushedSlices& brushed);

/// Longer ones first, of equals the first in the trace: the next after `from`, or before it; from any other slice
/// the longest. Among all slices that have one of the labels, or among those in a list. Cost: O(slices).
std::optional<SliceId> next_slowest(const Trace& trace, const LabelSet& labels, SliceId from, bool forward);
std::optional<SliceId> next_slowest(const Trace& trace, std::span<const SliceId> slices, SliceId from, bool forward);

}  // namespace tv
