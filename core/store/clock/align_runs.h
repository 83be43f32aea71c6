// How runs that were recorded at different times are aligned: as recorded, each from 0, or one after the other
// without the idle time between them.
//
//   recorded   |aaa      |                 ...two days...                 |bb       |
//              |   AA    |                                                |  BBB    |
//   zero       |aaa      |        fold     |aaa  |bb   |
//              |   AA    |                 |   AA|  BBB|     a twentieth of the work is left as gaps
//              |bb       |
//              |  BBB    |
//
// Some sources keep their mutual offsets: those whose work overlaps in time, and logs of one rollout run, whose pauses are
// meaningful. With Zero, the windows of one process are one run too; Fold removes the time between them. A shift is added after
// all other clock corrections, so recorded time = time in the view - shift.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/time.h"

namespace tv {

enum class Align : std::uint8_t { Recorded, Zero, Fold, kCount };

/// Nullopt: folded if most of the view would be empty as recorded, else as recorded. Used to open files that have not been
/// viewed together yet.
using AlignChoice = std::optional<Align>;

/// "recorded", "zero", "fold": on the command line, in --json.
std::string_view name(Align align);
std::optional<Align> align_named(std::string_view name);

/// A source at its place by the clocks, before runs are aligned.
struct RecordedSource {
  TimeRange extent;     ///< of all its events
  TimeRange work;       ///< the part of it that is work (work_extent.h)
  std::string run;      ///< equal: logs of one run; empty: unknown
  std::string process;  ///< equal: of one process; empty: unknown
};

struct SourceInfo;
RecordedSource recorded_source(const SourceInfo& source, TimeRange extent, TimeRange work);

struct AlignedRuns {
  std::vector<Ns> shift;           ///< by source, to be added
  std::vector<std::uint32_t> run;  ///< by source; runs are numbered in the order of recording
  std::vector<TimeRange> work;     ///< by run, as recorded
};

/// Aligned, the earliest event lies at 0; if everything is one run, nothing moves. With Align::Recorded nothing moves either, and
/// the runs are those that folding would leave whole. The order within a run never changes, and folding never makes work overlap
/// other work. But a mark beyond the work of its run may then lie over another run.
AlignedRuns align_runs(std::span<const RecordedSource> sources, Align align);

/// How much of the time from the first to the last of the runs' work is filled, as recorded. 1 if there is none.
double filled(const AlignedRuns& runs);
bool is_mostly_empty(const AlignedRuns& runs);

/// With the chosen alignment, or the best one if none was chosen.
AlignedRuns align_as_chosen(std::span<const RecordedSource> sources, AlignChoice align);

/// For groups whose sources can only move together, such as segments in a view. Returns the shift of each group. If sources of
/// one group would get different shifts, each group is aligned as one source.
std::vector<Ns> align_groups(const std::vector<std::vector<RecordedSource>>& groups, AlignChoice align);

}  // namespace tv
