// Where each source of a trace lies on the clock that all of them share.
//
// Sources on the wall clock lie where their times say. One that counts from elsewhere (boot, its own start) would
// stretch the view over decades: beside wall-clock sources it is put at their beginning, and its report says so. An
// offset that was asked for moves a source from there, and the beginning of all with it when it is the first. Runs are
// aligned last (align_runs.h), windows never: they were cut out of where everything lies already.
// Cost: O(sources x log sources).
#pragma once

#include <optional>
#include <vector>

#include "core/store/clock/align_runs.h"
#include "core/store/clock/source_parts.h"

namespace tv {

/// Sets SourceParts::shift, to the shared clock and not yet to the trace's origin, moves extents and work there, and sets
/// SourceInfo::aligned. How runs lie beside each other now; none where no source was moved for that.
std::optional<Align> place_on_one_clock(std::vector<SourceParts>& sources, AlignChoice align);

}  // namespace tv
