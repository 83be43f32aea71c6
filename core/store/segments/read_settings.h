// How files are read and placed in one view: which part of them, and on which clocks. It is saved and restored unchanged. If it
// changes, the files must be read again.
#pragma once

#include <set>
#include <string>

#include "core/store/clock/align_runs.h"
#include "core/store/clock/clock_offset.h"
#include "core/store/draft/clock_fit.h"
#include "core/store/draft/load_choice.h"

namespace tv {

struct ReadSettings {
  LoadChoice choice = {};                ///< the part of the files that is read
  std::set<std::string> closed = {};     ///< paths of files that are not read, although their folder was opened
  ClockOffsets clocks = {};              ///< to be added to the times of files
  PlaceBy place_by = PlaceBy::Collectives;
  AlignChoice align = Align::Recorded;   ///< with zero or fold, nothing is shown until all is read, unless read rank by rank
  bool operator==(const ReadSettings&) const = default;
};

}  // namespace tv
