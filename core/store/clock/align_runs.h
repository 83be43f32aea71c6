// Aligns runs that were recorded at different times: as recorded, all from 0, or one after the other without the idle time
// between them.
//
//   recorded   |aaa      |                 ...two days...                 |bb       |
//              |   AA    |                                                |  BBB    |
//   zero       |aaa      |        fold     |aaa  |bb   |
//              |   AA    |                 |   AA|  BBB|     a twentieth of the work is left as gaps
//              |bb       |
//              |  BBB    |
//
// Sources of one run keep their mutual offsets. Sources are of one run if their work overlaps in time, or if they are logs of one
// rollout run, because its pauses mean something. With Zero, the windows of one process are one run, too; Fold removes the time
// between them. A shift is added after all other clock corrections.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/clock_time.h"

namespace tv {

enum class Align : std::uint8_t { Recorded, Zero, Fold, kCount };

/// Nullopt: Fold if most of the view would be empty as recorded, otherwise Recorded. For files that have not been viewed together
/// yet.
using AlignChoice = std::optional<Align>;

/// "recorded", "zero", "fold": for the command line and --json.
std::string_view name(Align align);
std::optional<Align> align_named(std::string_view name);

/// When a source was recorded, by the common clock.
struct RecordedSource {
  CommonRange extent;   ///< of all its events
  CommonRange work;     ///< the part of the extent that is work (work_extent.h)
  std::string run;      ///< equal for the logs of one run; empty: unknown
  std::string process;  ///< equal for the sources of one process; empty: unknown
};

using RunShift = ClockShift<CommonTime, AlignedTime>;

struct AlignedRuns {
  std::vector<RunShift> shift;     ///< by source
  std::vector<std::uint32_t> run;  ///< by source; runs are numbered in the order of recording
  std::vector<CommonRange> work;   ///< by run
};

/// Zero and Fold put the earliest event at 0, but move nothing if there is only one run. Recorded moves nothing; its runs are
/// those of Fold. The order within a run never changes. Folded runs do not overlap in their work, but a mark beyond the work of
/// its run may lie over another run.
AlignedRuns align_runs(std::span<const RecordedSource> sources, Align align);

/// The share of the recorded time, from the begin of the first work to the end of the last, in which a run works. 1 if there is
/// no such time.
double filled(const AlignedRuns& runs);
bool is_mostly_empty(const AlignedRuns& runs);

/// Aligns as chosen, or as described at AlignChoice if nothing was chosen.
AlignedRuns align_as_chosen(std::span<const RecordedSource> sources, AlignChoice align);

/// Aligns groups whose sources can only move together, such as the segments of a view. Returns the shift of each group. If the
/// sources of any group would get different shifts, each group is aligned as if it were one source.
std::vector<RunShift> align_groups(const std::vector<std::vector<RecordedSource>>& groups, AlignChoice align);

}  // namespace tv
