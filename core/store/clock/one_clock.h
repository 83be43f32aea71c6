// Places each source of a trace on the clock that all of them share.
//
// Sources on the wall clock lie where their times say. A source that counts from elsewhere (boot, its own start) would
// stretch the view over decades. With wall-clock sources it is put at their beginning, and its report says so. An
// offset that the user set moves a source from there, and with it the beginning of all if it is the first. Runs are
// aligned last (align_runs.h). Windows are never aligned: they were cut out of a trace that was already placed.
// Cost: O(sources x log sources).
#pragma once

#include <optional>
#include <vector>

#include "core/store/clock/align_runs.h"
#include "core/store/clock/source_parts.h"

namespace tv {

/// Sets SourceParts::shift, to the shared clock and not yet to the trace's origin, moves extents and work there, and sets
/// SourceInfo::aligned. Returns how runs are now aligned to each other. None if no source was moved for that.
std::optional<Align> place_on_one_clock(std::vector<SourceParts>& sources, AlignChoice align);

}  // namespace tv
