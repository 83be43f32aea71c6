// Compares two parts of a trace name by name: which names take longer in one of the parts. Parts are files, ranks or workers that
// are open together. Names match if statistics count them as one (counted_name) and their categories are equal. A name on only
// one side was added or removed.
//
// Units: nanoseconds; totals are limited to the range of the statistics. Cost: O(names log names), in addition to range_stats.
// Source: "trace diff" of HolisticTraceAnalysis and of the TraceLens reports.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/query/range_stats.h"

namespace tv {

/// A recording, file, rank or worker. Its name is unique among the parts: the lane's name, preceded by the names of the groups
/// around it if several lanes have the same name. A recording of several ranks has the lanes of all of them.
struct ComparedPart {
  std::vector<LaneId> lanes;
  std::string name;
};

/// The recordings of the same ranks (tell_recordings.h), then the outermost lanes that have siblings with slices. Both are in the
/// order in which the files were given. Empty if there is nothing to compare.
std::vector<ComparedPart> compared_parts(const Trace& trace);
/// Only the recordings, even those of one rank each.
std::vector<ComparedPart> compared_recordings(const Trace& trace);
/// Cost: O(lanes) at worst, usually only a few lanes.
bool has_compared_parts(const Trace& trace);

struct NameDifference {
  LabelId label{};
  std::uint64_t a_count = 0, b_count = 0;
  Ns a_total = 0, b_total = 0;
  double a_mean = 0, b_mean = 0;  ///< mean duration of whole slices; 0 if there are none
  SliceId a_longest = kNone<SliceId>, b_longest = kNone<SliceId>;

  Ns difference() const { return b_total - a_total; }
  bool added() const { return a_count == 0; }
  bool removed() const { return b_count == 0; }
};

/// Sorted by the difference of totals, largest first; ties in the order of names.
std::vector<NameDifference> name_differences(const LabelTable& labels, const RangeStats& a, const RangeStats& b);

}  // namespace tv
